/// The words of names of attributes.
enum NameWords {
    /// The words in lower case: two for `homeLatitude` and for `home_latitude`; `URL` is one.
    static func words(of name: String) -> [String] {
        var words: [String] = []
        var wasLower = false
        for character in name {
            let begins = words.isEmpty || (character.isUppercase && wasLower)
            if character == "_" {
                words.append("")
            } else if begins {
                words.append(character.lowercased())
            } else {
                words[words.count - 1] += character.lowercased()
            }
            wasLower = character.isLowercase || character.isNumber
        }
        return words.filter { !$0.isEmpty }
    }
}
