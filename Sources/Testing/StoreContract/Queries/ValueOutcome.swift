import CoreDataGraph

/// The result of a fetch for dictionaries as comparable texts, or that it threw an error.
package enum ValueOutcome: Equatable {
    case success([String])
    case refused

    /// Executes a request on a stack's context and records the outcome.
    package init(_ stack: Stack, _ request: NSFetchRequest<NSDictionary>) {
        guard let found = try? stack.context.fetch(request) else {
            self = .refused
            return
        }
        let texts = found.map(Self.text)
        // Rows with equal sort keys may come in any order, so without limit and offset the texts are sorted.
        self = .success(request.fetchLimit > 0 || request.fetchOffset > 0 ? texts : texts.sorted())
    }

    private static func text(_ dictionary: NSDictionary) -> String {
        let keys = dictionary.allKeys.compactMap { $0 as? String }.sorted()
        return keys.map { "\($0)=\(text(dictionary[$0]))" }.joined(separator: " ")
    }

    private static func text(_ value: Any?) -> String {
        switch value {
        case let identifier as NSManagedObjectID:
            "\(identifier.entity.name ?? "")/\(identifier.uriRepresentation().lastPathComponent)"
        case let date as Date: "date \(date.timeIntervalSinceReferenceDate)"
        case let decimal as NSDecimalNumber where decimal != 0: "decimal \(decimal.stringValue)"
        case let dictionary as NSDictionary: "{\(text(dictionary))}"
        // A sum over no rows may be a zero of any number type.
        case let number as NSNumber where number == 0: "zero"
        case let number as NSNumber: "\(String(cString: number.objCType) == "d" ? "real" : "whole") \(number)"
        default: "\(value ?? "nil")"
        }
    }
}
