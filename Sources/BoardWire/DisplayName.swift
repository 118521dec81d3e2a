/// A display name fit to be shown to others.
///
/// Control characters and what would turn the direction of the text round it are taken out, white
/// space is folded to single spaces and trimmed; then it is cut to 64 characters and 256 UTF-8
/// bytes, never inside a character. What has nothing visible becomes `Guest`.
public func cleanName(_ raw: String) -> String {
    let limits = WireLimits()
    var folded = String.UnicodeScalarView()
    var isSpacePending = false
    for scalar in raw.unicodeScalars {
        if scalar.properties.isWhitespace {
            isSpacePending = !folded.isEmpty
        } else if !isTakenOut(scalar) {
            if isSpacePending { folded.append(" ") }
            isSpacePending = false
            folded.append(scalar)
        }
    }
    var name = ""
    for character in String(folded).prefix(limits.nameCharacters) {
        guard name.utf8.count + character.utf8.count <= limits.nameBytes else { break }
        name.append(character)
    }
    if name.last == " " { name.removeLast() }
    return name.unicodeScalars.contains { isVisible($0) } ? name : "Guest"
}

/// Control characters, direction marks and overrides, and invisible characters that join nothing.
/// The joiners U+200C and U+200D stay: emoji and many scripts are spelled with them.
private func isTakenOut(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00AD, 0x061C, 0x180E, 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF,
        0xFFF9...0xFFFB:
        true
    default: scalar.properties.generalCategory == .control
    }
}

private func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
}
