extension String {
    /// Whether the text comes first in the order of UTF-8 bytes, which is the same whatever the language.
    package func precedesInBytes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
