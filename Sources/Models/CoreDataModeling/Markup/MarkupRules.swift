/// What a reader of XML accepts, and how much of it.
package struct MarkupRules: Sendable {
    /// What errors call the document.
    package var subject = "the document"
    /// How deeply elements may nest.
    package var depth = 64
    /// How many elements the document may have.
    package var elements = Int.max
    /// How many attributes an element may have.
    package var attributes = 1024
    /// The bytes of one name, and of a document type.
    package var names = 1024
    /// The bytes of one text.
    package var text = 1 << 30
    /// The bytes of one comment or processing instruction.
    package var comments = 1 << 20
    /// Whether a document type may be named. It is never fetched, and one that declares anything is always refused, so
    /// that entities need not be expanded.
    package var allowsDocumentType = true
    /// The code of the error for a reference that is not predefined.
    package var unknownReference = ModelingError.Code.forbiddenConstruct

    package init() {}
}
