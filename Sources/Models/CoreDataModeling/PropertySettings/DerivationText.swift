/// The two spellings of a derivation: that of a model's source, and that of the compiled expression.
///
/// | source | compiled |
/// |---|---|
/// | `now()` | `now()` |
/// | `canonical:(name)` | `canonical:(name)` |
/// | `pages.@count` | `count:(pages)` |
/// | `pages.@sum.length`, `pages.length.@sum` | `sum:(pages.length)` |
/// | `author.name` | `author.name` |
///
/// Compiled models with the first three forms were examined; the others follow their pattern.
package enum DerivationText {
    /// The compiled spelling, which version hashes use.
    package static func canonical(_ source: String) -> String {
        let text = source.filter { !$0.isWhitespace }
        guard text.last != ")" else { return text }
        let steps = text.split(separator: ".", omittingEmptySubsequences: false)
        guard let position = steps.lastIndex(where: { $0.hasPrefix("@") }) else { return text }
        let path = steps[..<position] + steps[(position + 1)...]
        return "\(steps[position].dropFirst()):(\(path.joined(separator: ".")))"
    }
}
