import CoreDataFoundation

/// The source of a model (`contents` of an `.xcdatamodel`) as a document that can be edited and written without loss.
///
/// Invariant: a document that was read and not changed is written byte for byte as it was; if it was changed, only the
/// lines of changed elements differ.
package struct ModelDocument: Hashable, Sendable {
    /// The text before the root element: a byte order mark, the declaration, comments.
    let prolog: String
    /// The element `<model>`.
    package internal(set) var root: ModelElement
    /// The text after the root element.
    let epilog: String

    /// Reads a document, without checking whether it is a valid model.
    ///
    /// - Throws: `ModelingError` with the position: `.limitExceeded`, `.forbiddenConstruct` or `.malformed`.
    package init(_ data: Data) throws {
        let bytes = [UInt8](data)
        try SourceGuard.check(bytes)
        var lexer = MarkupLexer(bytes, rules: .modelSource)
        var token = try lexer.next()
        while token == .other { token = try lexer.next() }
        guard let token else { throw lexer.malformed("the file holds no <model>") }
        let start = lexer.range.lowerBound
        root = try ModelElement(&lexer, isEmpty: token == .emptyTag)
        let end = lexer.offset
        while try lexer.next() != nil {}
        prolog = String(decoding: bytes[..<start], as: UTF8.self)
        epilog = String(decoding: bytes[end...], as: UTF8.self)
        guard root.name == "model" else {
            throw ModelingError(
                .malformed, "the file is not a model: it begins with <\(root.name)>", at: root.place)
        }
    }

    /// Reads the document at a path: a `contents` file, or the `.xcdatamodel` or `.xcdatamodeld` that contains it.
    ///
    /// - Throws: `ModelingError` with path and position.
    package init(at url: URL) throws {
        let location = try ModelLocation(url)
        do {
            guard location.form == .source else {
                throw ModelingError(.unsupportedForm, "it is a compiled model, which has no source")
            }
            try self.init(BoundedFile.read(location.file, limit: BoundedFile.greatestModelSize))
        } catch let error as ModelingError {
            throw error.at(path: location.file.path)
        }
    }

    /// Makes a document with a root element, in the form that Xcode writes.
    init(root: ModelElement) {
        prolog = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
        self.root = root
        epilog = ""
        self.root.layOut(Margin(newline: "\n", unit: "    "), depth: 0)
    }

    /// The text of the document.
    package var text: String {
        var text = prolog
        root.write(to: &text)
        return text + epilog
    }

    /// The bytes of the document.
    package var data: Data { Data(text.utf8) }
}
