import SwiftParser
import SwiftSyntax

/// A source that can be rewritten: valid UTF-8 of a bounded size and nesting that parses as Swift without errors.
struct ParsedSource {
    /// The maximum size of a source in bytes.
    static let sizeLimit = 8 << 20

    let bytes: [UInt8]
    let tree: SourceFileSyntax

    /// Why a source is left as it is.
    struct Refusal: Error {
        let message: String
    }

    /// Reads a file.
    ///
    /// - Throws: `Refusal`.
    init(_ url: URL) throws {
        let size = (try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int) ?? 0
        guard size <= Self.sizeLimit else {
            throw Refusal(message: "it has more than \(Self.sizeLimit >> 20) MB and is left as it is")
        }
        guard let data = try? Data(contentsOf: url) else { throw Refusal(message: "it cannot be read") }
        try self.init(Array(data))
    }

    /// Parses a text; call it inside `DeepStack.run`.
    ///
    /// - Throws: `Refusal`.
    init(_ bytes: [UInt8]) throws {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Refusal(message: "it is no UTF-8 and is left as it is")
        }
        guard Nesting.isBounded(bytes) else {
            throw Refusal(message: "it is nested too deep and is left as it is")
        }
        tree = Parser.parse(source: text)
        self.bytes = bytes
        guard !tree.hasError, tree.totalLength.utf8Length == bytes.count else {
            throw Refusal(message: "it is no Swift that can be understood and is left as it is")
        }
    }
}
