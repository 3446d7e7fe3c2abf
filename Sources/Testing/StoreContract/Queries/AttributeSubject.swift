import CoreDataGraph
import TestBasics

/// The attributes of a person that generated predicates use, one of each type.
package enum AttributeSubject: String, CaseIterable {
    case name
    case small
    case medium
    case large
    case flag
    case ratio
    case single
    case price
    case born
    case photo
    case token
    case link
    case extra

    static let numbers: [Self] = [.small, .medium, .large, .ratio, .single, .price]

    var isText: Bool { self == .name || self == .link }

    /// Whether predicates can only test whether the attribute is nil.
    var isOpaque: Bool { self == .extra }

    /// The attributes whose values can be compared with this attribute's values.
    var peers: [Self] { Self.numbers.contains(self) ? Self.numbers : [self] }
}

extension PredicateGenerator {
    /// A random value of the attribute's type, often one that persons in the store have.
    package mutating func value(_ type: AttributeSubject) -> Any? {
        switch type {
        case .name: return pick(Awkward.texts)
        case .small, .medium: return pick(Awkward.wholes)
        case .large: return pick(Awkward.large)
        case .flag: return chance(1, in: 2)
        case .ratio: return pick(Awkward.reals)
        case .single: return Double(Float(pick(Awkward.reals)))
        case .price: return Decimal(string: pick(Awkward.decimals))
        case .born: return Date(timeIntervalSinceReferenceDate: pick(Awkward.dates))
        case .photo: return Data([0, 255, 65].prefix(random.next(below: 4)))
        case .token: return UUID(uuidString: "00000000-0000-0000-0000-00000000000\(random.next(below: 10))")
        case .link: return URL(string: "https://example.org/\(random.next(below: 6))%C3%A4")
        case .extra: return nil
        }
    }
}
