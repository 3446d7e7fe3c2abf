/// The bytes with a meaning for the tokenizer.
enum CodeByte {
    static let quote: UInt8 = 0x22
    static let hash: UInt8 = 0x23
    static let parenthesis: UInt8 = 0x28
    static let parenthesisEnd: UInt8 = 0x29
    static let star: UInt8 = 0x2A
    static let slash: UInt8 = 0x2F
    static let bracket: UInt8 = 0x5B
    static let backslash: UInt8 = 0x5C
    static let backtick: UInt8 = 0x60
    static let brace: UInt8 = 0x7B
    static let braceEnd: UInt8 = 0x7D
}
