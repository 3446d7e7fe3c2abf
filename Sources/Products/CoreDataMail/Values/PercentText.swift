/// Texts in URLs and forms.
enum PercentText {
    /// All bytes but letters, digits, `-._~` and those that are kept, as `%` with two digits: RFC 3986, 2.3.
    static func escaped(_ text: String, keeping others: String = "") -> String {
        text.utf8.reduce(into: "") { result, byte in
            let letter = Character(Unicode.Scalar(byte))
            if byte < 0x80, letter.isLetter || letter.isNumber || "-._~".contains(letter) || others.contains(letter) {
                result.append(letter)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                result += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
    }
}
