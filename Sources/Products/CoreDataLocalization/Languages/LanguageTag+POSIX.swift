extension LanguageTag {
    /// Reads a locale as POSIX systems name it in `LANG`: `de_AT.UTF-8@euro`, `sr_RS@latin`.
    ///
    /// Returns nil for `C`, `POSIX` and what is not a language.
    public init?(posix name: String) {
        let parts = name.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        let plain = parts[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)[0]
        guard plain != "C", plain != "POSIX", let tag = LanguageTag(String(plain)) else { return nil }
        guard parts.count > 1, tag.script == nil, let script = Self.modifiers[parts[1].lowercased()] else {
            self = tag
            return
        }
        self = tag.with(script: script)
    }

    /// The modifiers of glibc's locales that name a script.
    private static let modifiers = ["latin": "Latn", "cyrillic": "Cyrl", "devanagari": "Deva", "iqtelif": "Latn"]
}
