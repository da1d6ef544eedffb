"""Reading members of .npz archives; refusing missing ones and damaged archives."""

import errno
import os
import random
import struct
import zipfile
import zlib

import numpy as np
import pytest

from mincli.errors import FormatError
from mincli.spec.dtypes import BY_NAME
from mincli.tensors import open_tensor
from tests import files, oracle
from tests.arrays import every_type, random_array

A, B = np.array([3, 1, 2], "u1"), np.array([[9]], "u1")


def member(array):
    return files.array_npy(array, BY_NAME["uint8"])


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed], ids=["stored", "deflated"])
@pytest.mark.parametrize(
    ("path", "held"),
    [
        pytest.param("two.npz:a", ("uint8", (3,), [3, 1, 2]), id="name"),
        pytest.param("two.npz:a.npy", ("uint8", (3,), [3, 1, 2]), id="name-with-suffix"),
        pytest.param("two.npz:b", ("uint8", (1, 1), [9]), id="other"),
        pytest.param("one.npz", ("uint8", (3,), [3, 1, 2]), id="only-one"),
        pytest.param("one.npz:arr_0", ("uint8", (3,), [3, 1, 2]), id="only-one-by-name"),
    ],
)
def test_members(save, path, held):
    save("two.npz", a=A, b=B)
    save("one.npz", A)
    assert files.content(path) == held


@every_type
@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED], ids=["stored", "deflated"])
def test_any_type_and_layout(folder, element, compression):
    array = random_array(3, (2, 3, 2), element)
    inner = files.array_npy(array, element, order="F", byteorder=">")
    (folder / "a.npz").write_bytes(files.zip_of({"x.npy": inner}, compression))
    expected = list(oracle.bits_of(array, element).values())
    assert files.content("a.npz:x") == (element.name, (2, 3, 2), expected)


def test_the_exact_name_comes_before_the_one_with_suffix(folder):
    (folder / "a.npz").write_bytes(files.zip_of({"x.npy": member(A), "x": member(B)}))
    assert files.content("a.npz:x") == ("uint8", (1, 1), [9])


def test_archive_of_another_suffix(folder):
    (folder / "weights.bin").write_bytes(files.zip_of({"layer/kernel.npy": member(A)}))
    assert files.content("weights.bin:layer/kernel") == ("uint8", (3,), [3, 1, 2])


def test_note_and_layout_of_a_member():
    np.savez("a.npz", np.zeros((2, 2), "V2", order="F"))
    with open_tensor("a.npz") as tensor:
        assert tensor.layout == "Fortran order"
        assert tensor.note == "raw two-byte elements, read as bfloat16"


@pytest.mark.parametrize(
    ("members", "path", "refusal"),
    [
        pytest.param(
            {"a.npy": member(A), "b.npy": member(B)},
            "x.npz",
            ("FileError", "x.npz holds 2 arrays\n  it holds a, b\n  hint: name one: x.npz:a"),
            id="several",
        ),
        pytest.param(
            {f"{number}.npy": b"" for number in range(21)},
            "x.npz",
            (
                "FileError",
                f"x.npz holds 21 arrays\n  it holds {', '.join(map(str, range(20)))}, ...\n  hint: name one: x.npz:0",
            ),
            id="many",
        ),
        pytest.param(
            {f"{number}.npy": b"" for number in range(20)},
            "x.npz:x",
            (
                "FileError",
                "x.npz:x: the file has no array of that name\n  it holds "
                "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19",
            ),
            id="just-listed",
        ),
        pytest.param(
            {"a.npy": member(A)},
            "x.npz:c",
            ("FileError", "x.npz:c: the file has no array of that name\n  it holds a"),
            id="missing",
        ),
        pytest.param(
            {"a\x1b[31m.npy": member(A)},
            "x.npz:c",
            ("FileError", "x.npz:c: the file has no array of that name\n  it holds a\\x1b[31m"),
            id="control-characters-are-escaped",
        ),
        pytest.param({}, "x.npz", ("FormatError", "x.npz holds no arrays"), id="empty"),
        pytest.param({}, "x.npz:a", ("FormatError", "x.npz:a holds no arrays"), id="empty-by-name"),
        pytest.param(
            {"readme.txt": b"hello"}, "x.npz", ("FormatError", "x.npz is no .npy file\n  it looks like text"), id="text"
        ),
        pytest.param(
            {"nothing": b""}, "x.npz", ("FormatError", "x.npz: its member nothing is empty"), id="empty-member"
        ),
        pytest.param(
            {"a.npy": member(A)[:-1]},
            "x.npz",
            ("FormatError", "x.npz is truncated: 1 of 3 bytes of elements are missing"),
            id="member-too-short",
        ),
        pytest.param(
            {"a.npy": member(A) + b"!"},
            "x.npz:a",
            (
                "FormatError",
                "x.npz:a: more data follows the array\n  mincli reads one array from a stream",
            ),
            id="member-too-long",
        ),
    ],
)
def test_refused(folder, members, path, refusal):
    (folder / "x.npz").write_bytes(files.zip_of(members))
    assert files.refusal(path) == refusal


def test_thousands_of_members(folder):
    members = {f"model.layers.{number}.self_attn.q_proj.weight.npy": b"" for number in range(9999)}
    (folder / "x.npz").write_bytes(files.zip_of({**members, "last.npy": member(A)}))
    assert files.content("x.npz:last") == ("uint8", (3,), [3, 1, 2])


def test_a_directory_of_2_mib_is_the_longest(folder):
    """Each member takes 46 bytes and its name: 64 in all, of which 32768 are 2 MiB."""
    members = {f"{number:018}": b"" for number in range(32768)}
    (folder / "x.npz").write_bytes(files.zip_of(members))
    assert files.refusal("x.npz:x") == (
        "FileError",
        "x.npz:x: the file has no array of that name\n"
        f"  it holds {', '.join(f'{number:018}' for number in range(20))}, ...",
    )
    (folder / "x.npz").write_bytes(files.zip_of({**members, "x": b""}))
    message = (
        "x.npz: the zip archive's directory has 2097199 bytes\n"
        "  at most 2097152 are read, which 20000 arrays take\n"
        "  hint: split the archive"
    )
    assert files.refusal("x.npz") == ("FormatError", message)


def test_a_directory_that_claims_gigabytes(folder):
    end = b"PK\5\6" + bytes(8) + (0xF0000000).to_bytes(4, "little") + bytes(6)
    (folder / "x.npz").write_bytes(b"PK\3\4")
    os.truncate("x.npz", 0xF0000000)
    with open("x.npz", "ab") as archive:
        archive.write(end)
    assert files.refusal("x.npz")[1].startswith("x.npz: the zip archive's directory has 4026531840 bytes\n")


def test_a_method_that_says_how_much_memory_it_takes(folder):
    (folder / "x.npz").write_bytes(files.zip_of({"a.npy": member(A)}, zipfile.ZIP_LZMA))
    message = (
        "x.npz: zip compression method 14 is not read\n"
        "  stored, deflated and bzip2 members are\n"
        "  hint: save it with numpy.savez_compressed"
    )
    assert files.refusal("x.npz") == ("FormatError", message)


def test_a_disk_that_fails_is_no_damaged_archive(folder, monkeypatch):
    (folder / "x.npz").write_bytes(files.zip_of({"a.npy": member(A)}))
    pread = os.pread

    def failing(file, size, start):
        if start:
            raise OSError(errno.EIO, "Input/output error")
        return pread(file, size, start)

    monkeypatch.setattr(os, "pread", failing)
    assert files.refusal("x.npz") == ("FileError", "x.npz cannot be read: Input/output error")


DAMAGED = "x.npz: damaged or unsupported zip archive: "


def test_truncated_archive(folder):
    whole = files.zip_of({"a.npy": member(A)})
    for length in range(2, len(whole)):
        (folder / "x.npz").write_bytes(whole[:length])
        assert files.refusal("x.npz") == ("FormatError", f"{DAMAGED}File is not a zip file")


def test_archive_that_lost_a_byte(folder):
    whole = files.zip_of({"a.npy": member(A)})
    (folder / "x.npz").write_bytes(whole[:2] + whole[3:])
    kind, message = files.refusal("x.npz")
    assert kind == "FormatError"
    assert message.startswith(DAMAGED)


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED], ids=["stored", "deflated"])
def test_wrong_checksum(folder, compression):
    whole = files.zip_of({"a.npy": member(A)}, compression)
    checksum = whole[14:18]
    (folder / "x.npz").write_bytes(whole.replace(checksum, bytes(4)))
    assert files.refusal("x.npz") == ("FormatError", f"{DAMAGED}Bad CRC-32 for file 'a.npy'")


def test_encrypted_archive(folder):
    whole = bytearray(files.zip_of({"a.npy": member(A)}))
    for start, flags in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        whole[whole.index(start) + flags] |= 1
    (folder / "x.npz").write_bytes(whole)
    message = "x.npz: its member a.npy is encrypted\n  hint: decrypt it first"
    assert files.refusal("x.npz") == ("FormatError", message)


def test_name_that_is_no_utf_8(folder):
    whole = files.zip_of({"ä.npy": member(A)})
    (folder / "x.npz").write_bytes(whole.replace("ä".encode(), b"\xff\xff"))
    kind, message = files.refusal("x.npz")
    assert kind == "FormatError"
    assert message.startswith(DAMAGED)


@pytest.mark.parametrize(
    "compression",
    [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2],
    ids=["stored", "deflated", "bzip2"],
)
def test_damaged_archive_is_read_or_refused(folder, compression):
    whole = files.zip_of({"a.npy": member(np.arange(200, dtype="u1"))}, compression)
    generator, refused = random.Random(compression), 0
    for _ in range(200):
        changed = bytearray(whole)
        for _ in range(generator.randint(1, 4)):
            changed[generator.randrange(4, len(changed))] = generator.randrange(256)
        (folder / "x.npz").write_bytes(changed)
        try:
            open_tensor("x.npz").close()
        except FormatError:
            refused += 1
    assert 50 < refused <= 200


def zip64_member_at(place, data):
    """Return an archive whose directory says, in a zip64 field, that its one member starts at `place`."""
    name, crc = b"x.npy", zlib.crc32(data)
    local = (
        struct.pack("<4sHHHHHIIIHH", b"PK\3\4", 45, 0, 0, 0, 0, crc, len(data), len(data), len(name), 0) + name + data
    )
    extra = struct.pack("<HHQ", 1, 8, place)
    entry = (
        struct.pack(
            "<4sBBHHHHHIIIHHHHHII",
            b"PK\1\2", 45, 3, 45, 0, 0, 0, 0, crc, len(data), len(data), len(name), len(extra), 0, 0, 0, 0, 2**32 - 1,
        )
        + name
        + extra
    )  # fmt: skip
    return local + entry + struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 1, 1, len(entry), len(local), 0)


def test_a_member_may_start_anywhere_that_the_file_has(folder):
    (folder / "a.npz").write_bytes(zip64_member_at(0, member(A)))
    assert files.content("a.npz") == ("uint8", (3,), [3, 1, 2])


@pytest.mark.parametrize("place", [2**32, 2**63 - 1, 2**63, 2**64 - 1])
def test_a_member_that_starts_behind_the_file(folder, place):
    (folder / "a.npz").write_bytes(zip64_member_at(place, member(A)))
    with pytest.raises(FormatError, match=r"^a\.npz: damaged or unsupported zip archive: "):
        open_tensor("a.npz")
