extension String {
    /// Whether the text precedes another in the order of UTF-8 bytes, which does not depend on a language.
    package func precedesInBytes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
