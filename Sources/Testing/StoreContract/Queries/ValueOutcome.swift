import CoreDataGraph

/// What a store answers to a request for dictionaries, as texts that compare.
package enum ValueOutcome: Equatable {
    case success([String])
    case refused

    /// What a store answers.
    package init(_ stack: Stack, _ request: NSFetchRequest<NSDictionary>) {
        guard let found = try? stack.context.fetch(request) else {
            self = .refused
            return
        }
        let texts = found.map(Self.text)
        // Without limit and offset rows that the sort leaves side by side may come in any order.
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
        // A sum of nothing is a zero of no particular kind.
        case let number as NSNumber where number == 0: "zero"
        case let number as NSNumber: "\(String(cString: number.objCType) == "d" ? "real" : "whole") \(number)"
        default: "\(value ?? "nil")"
        }
    }
}
