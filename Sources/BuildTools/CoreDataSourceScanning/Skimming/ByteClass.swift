/// The classes of bytes that the tokenizer of Swift code distinguishes.
enum ByteClass {
    static let other: UInt8 = 0
    static let space: UInt8 = 1
    static let newline: UInt8 = 2
    static let word: UInt8 = 3
    static let bracket: UInt8 = 4
    /// A byte that may begin a literal, comment, directive or escaped name, or that no Swift code contains.
    static let special: UInt8 = 5

    /// The class of each byte.
    static let table: [UInt8] = (0...255).map { byte in
        switch UInt8(byte) {
        case 0x20, 0x09, 0x0B, 0x0C: space
        case 0x0A, 0x0D: newline
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x24, 0x80...0xFF: word
        case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"),
            UInt8(ascii: "}"):
            bracket
        case 0, UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: "'"), UInt8(ascii: "/"), UInt8(ascii: "`"): special
        default: other
        }
    }
}
