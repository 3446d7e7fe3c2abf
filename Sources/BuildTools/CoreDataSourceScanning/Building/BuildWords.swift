import CoreDataModelCompiler

/// The arguments of a command line: operands, and options that each have a value.
struct BuildWords {
    struct Misuse: Error {}

    private(set) var operands: [String] = []
    private var options: [String: [String]] = [:]

    init(_ words: [String]) {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word.hasPrefix("--"), let value = rest.popFirst() {
                options[String(word.dropFirst(2)), default: []].append(value)
            } else {
                operands.append(word)
            }
        }
    }

    /// Removes and returns the first operand.
    mutating func next() -> String? { operands.isEmpty ? nil : operands.removeFirst() }

    func values(_ option: String) -> [String] { options[option] ?? [] }

    func value(_ option: String) throws -> String {
        guard let value = options[option]?.first else { throw Misuse() }
        return value
    }

    func url(_ option: String) throws -> URL { URL(fileURLWithPath: try value(option)) }
}
