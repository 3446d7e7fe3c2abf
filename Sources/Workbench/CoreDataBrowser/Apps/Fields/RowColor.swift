import CoreData

/// A colour as forms and rows show it: red, green, blue and alpha from 0 to 1.
struct RowColor: Equatable, Sendable {
    let components: [Double]

    /// Reads an array of four numbers, or two for a grey; nil for anything else.
    init?(_ json: JSONValue) {
        guard case .array(let elements) = json else {
            guard case .string(let text) = json else { return nil }
            self.init(text: Data(base64Encoded: text).flatMap { String(data: $0, encoding: .utf8) } ?? text)
            return
        }
        self.init(elements.map(Self.number))
    }

    /// Reads numbers with commas between, as the books store them.
    init?(text: String) {
        guard text.utf8.count <= 200 else { return nil }
        self.init(text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) })
    }

    private init?(_ numbers: [Double?]) {
        let known = numbers.compactMap { $0 }
        guard known.count == numbers.count, known.allSatisfy({ (0...1).contains($0) }) else { return nil }
        switch known.count {
        case 4: components = known
        case 2: components = [known[0], known[0], known[0], known[1]]
        default: return nil
        }
    }

    private static func number(_ json: JSONValue) -> Double? {
        switch json {
        case .integer(let number): Double(number)
        case .number(let text): Double(text)
        default: nil
        }
    }

    /// Four numbers.
    var json: JSONValue { .array(components.map { .real($0) }) }

    /// `r,g,b,a` with six digits each, in UTF-8.
    var stored: Data { Data(components.map { String(format: "%f", $0) }.joined(separator: ",").utf8) }

    /// The colour that pages show for a value that is not a colour.
    static let white: JSONValue = .array([1, 1, 1, 1].map { .real($0) })
}
