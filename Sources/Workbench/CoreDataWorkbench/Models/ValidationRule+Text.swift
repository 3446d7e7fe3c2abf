import CoreData

extension ValidationRule {
    /// The rule in a few words, such as `length ≤ 20`.
    package var text: String {
        switch check {
        case .minimum(let limit): "≥ \(limit)"
        case .maximum(let limit): "≤ \(limit)"
        case .earliest(let limit): "≥ \(ISODate.text(limit))"
        case .latest(let limit): "≤ \(ISODate.text(limit))"
        case .minimumLength(let limit): "length ≥ \(limit)"
        case .maximumLength(let limit): "length ≤ \(limit)"
        case .pattern(let pattern): "MATCHES \(pattern)"
        case .predicate(let format): format
        }
    }
}
