import Foundation

/// An example in the documentation comment of a symbol: the lines between "```swift" and "```".
struct SymbolExample {
    /// The name of the symbol that the comment documents.
    let symbol: String
    let file: URL
    /// The number of the first line of code in the file.
    let line: Int
    let code: [Substring]

    /// The examples of all Swift sources in a folder, in the order of their paths.
    static func examples(in folder: URL) throws -> [SymbolExample] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return try paths.filter { $0.hasSuffix(".swift") }.sorted().flatMap { path in
            let file = folder.appendingPathComponent(path)
            return examples(in: try String(contentsOf: file, encoding: .utf8), of: file)
        }
    }

    /// The examples of a source, in order.
    static func examples(in source: String, of file: URL) -> [SymbolExample] {
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        let starts = lines.indices.filter { comment(lines[$0]) == "```swift" }
        return starts.map { start in
            let code = lines[(start + 1)...].prefix { comment($0) != nil && comment($0) != "```" }
            return SymbolExample(
                symbol: lines[code.endIndex...].lazy.compactMap(declaredName).first ?? "", file: file, line: start + 2,
                code: code.compactMap(comment))
        }
    }

    /// The text of a line that is part of a documentation comment; nil for every other line.
    private static func comment(_ line: Substring) -> Substring? {
        let text = line.drop { $0 == " " }
        guard text.hasPrefix("///") else { return nil }
        let rest = text.dropFirst(3)
        return rest.first == " " ? rest.dropFirst() : rest
    }

    /// The name of what a line declares; nil for attributes, comments and lines that declare nothing.
    private static func declaredName(_ line: Substring) -> String? {
        guard comment(line) == nil else { return nil }
        let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
        let kinds: Set = ["class", "struct", "enum", "protocol", "actor", "typealias", "let", "var", "func", "case"]
        guard let kind = words.lastIndex(where: kinds.contains), kind + 1 < words.count else { return nil }
        return words[kind + 1]
    }
}

extension SymbolExample {
    /// One source of all examples: each is the body of a function, or stands at file scope where it extends a type.
    ///
    /// Imports come first. The compiler reports places in the files of the examples.
    static func program(_ examples: [SymbolExample]) -> String {
        let imports = Set(["import CoreData"] + examples.flatMap(\.code).filter(isImport)).sorted()
        return imports.joined(separator: "\n") + "\n"
            + examples.enumerated().map { number, example in example.function(number) }.joined(separator: "\n") + "\n"
    }

    private static func isImport(_ line: Substring) -> Bool { line.hasPrefix("import ") }

    private func function(_ number: Int) -> String {
        let place = "#sourceLocation(file: \"\(file.path)\", line: \(line))"
        // An import is left as an empty line, so that the lines after it keep their numbers.
        let body = code.map { Self.isImport($0) ? "" : $0 }.joined(separator: "\n")
        guard !code.contains(where: { $0.hasPrefix("extension ") }) else {
            return "\(place)\n\(body)\n#sourceLocation()"
        }
        return "@MainActor func example\(number)() async throws {\n\(place)\n\(body)\n#sourceLocation()\n}"
    }
}
