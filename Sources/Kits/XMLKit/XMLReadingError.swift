/// Why a document cannot be read, and where.
package struct XMLReadingError: Error, Equatable {
    /// What is wrong, in a sentence.
    package let reason: String
    /// The line, from 1.
    package let line: Int
    /// The column in bytes, from 1; 0 if it is not known.
    package let column: Int
}
