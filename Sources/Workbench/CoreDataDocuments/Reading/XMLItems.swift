import CoreData
import XMLKit

/// Reads the elements at some places of an XML document one by one, as values such as JSON has.
///
/// An element is an object whose members are its attributes, `@name`, and the elements in it, several of one name too, and the member
/// `#text` with its text; one that has only text is that text. Blanks around texts are left out.
final class XMLItems: DocumentItems {
    private let file: FileBlocks
    private let reader: XMLItemReader

    /// - Parameter namespaces: the prefixes that paths have for namespaces.
    init(_ file: FileBlocks, paths: [DocumentPath], namespaces: [String: String]) throws {
        self.file = file
        do {
            reader = try XMLItemReader(paths: paths.map(Self.path), namespaces: namespaces)
        } catch let error as XMLReadingError {
            throw Self.error(error, file.name)
        }
    }

    /// Without a path the root element is meant.
    private static func path(_ path: DocumentPath) -> XMLItemPath {
        path.steps.isEmpty
            ? XMLItemPath([.any])
            : XMLItemPath(
                path.steps.compactMap { step in
                    switch step {
                    case .any: .any
                    case .name(let name): .name(name)
                    case .having: nil
                    }
                })
    }

    func next() throws -> DocumentItem? {
        do {
            guard let item = try reader.next(more: { try file.append(to: &$0) }) else { return nil }
            return DocumentItem(
                path: item.path, value: .success(Self.value(item.node)), line: item.line, size: item.size,
                bases: item.bases)
        } catch let error as XMLReadingError {
            throw Self.error(error, file.name)
        }
    }

    private static func error(_ error: XMLReadingError, _ name: String) -> InspectionError {
        let place = error.column > 0 ? "\(error.line):\(error.column)" : "\(error.line)"
        return InspectionError(
            .badValue, subject: "\(name):\(place)",
            cause: "this is not XML: \(PrintableText.escaped(error.reason, limit: 200))")
    }

    /// The depth of elements is bounded by the reader.
    private static func value(_ node: XMLNode) -> JSONValue {
        let text = trimmed(node.text)
        guard !node.attributes.isEmpty || !node.children.isEmpty else { return .string(text) }
        var members: [JSONValue.Member] = []
        members.reserveCapacity(node.attributes.count + node.children.count + 1)
        for attribute in node.attributes {
            members.append(.init(key: "@" + attribute.name, value: .string(attribute.value)))
        }
        for child in node.children { members.append(.init(key: child.name, value: value(child))) }
        if !text.isEmpty { members.append(.init(key: "#text", value: .string(text))) }
        return .members(members)
    }

    private static func trimmed(_ text: String) -> String {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D }
        guard let first = text.utf8.first, let last = text.utf8.last, isBlank(first) || isBlank(last) else {
            return text
        }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
