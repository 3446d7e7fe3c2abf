/// The limits and options of a reader of XML.
package struct MarkupRules: Sendable {
    /// The words for the document in error messages.
    package var subject = "the document"
    /// The deepest nesting of elements.
    package var depth = 64
    /// The largest number of elements.
    package var elements = Int.max
    /// The largest number of attributes of an element.
    package var attributes = 1024
    /// The largest size of a name, and of a document type, in bytes.
    package var names = 1024
    /// The largest size of a text in bytes.
    package var text = 1 << 30
    /// The largest size of a comment or processing instruction in bytes.
    package var comments = 1 << 20
    /// Whether the document may have a document type. A document type is never fetched, and one with declarations is
    /// always refused, so that no entities need to be expanded.
    package var allowsDocumentType = true
    /// The code of the error for a reference to an entity that is not predefined.
    package var unknownReference = ModelingError.Code.forbiddenConstruct

    package init() {}
}
