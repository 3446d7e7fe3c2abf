/// A search in the bytes of a text for a constant that has been folded.
///
/// The bytes of the constant belong to the plan and are valid as long as the test.
struct TextTest {
    typealias Bytes = UnsafeBufferPointer<UInt8>

    enum Place {
        case whole, start, end, anywhere
    }

    let place: Place
    let constant: Bytes
    /// Whether the text must be folded for the comparison; done while comparing bytes, for ASCII only.
    let isFolded: Bool
    let ignoresCase: Bool

    /// Whether the text has the constant in its place; nil if the text must be folded and is not ASCII, or a search
    /// ignoring case would be slow.
    /// is long.
    func matches(_ text: Bytes) -> Bool? {
        if isFolded, !isASCII(text) { return nil }
        guard text.count >= constant.count else { return false }
        switch place {
        case .whole: return text.count == constant.count && isConstant(text, at: 0)
        case .start: return isConstant(text, at: 0)
        case .end: return isConstant(text, at: text.count - constant.count)
        case .anywhere: return contains(text)
        }
    }

    private func contains(_ text: Bytes) -> Bool? {
        guard ignoresCase else { return ByteSearch.contains(text, constant) }
        // Trying each place is too slow for long constants.
        guard constant.count <= 16 else { return nil }
        for start in 0...text.count - constant.count where isConstant(text, at: start) { return true }
        return false
    }

    private func isASCII(_ text: Bytes) -> Bool {
        for byte in text where byte >= 0x80 { return false }
        return true
    }

    private func isConstant(_ text: Bytes, at start: Int) -> Bool {
        for index in 0..<constant.count {
            let byte = text[start + index]
            guard byte != constant[index] else { continue }
            guard ignoresCase, Self.isUpper(byte), byte | 0x20 == constant[index] else { return false }
        }
        return true
    }

    private static func isUpper(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
    }
}
