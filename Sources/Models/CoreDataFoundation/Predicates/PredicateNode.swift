/// A predicate as a tree of values, for code that evaluates, prints or translates it.
///
/// A compound of one predicate is that predicate; an empty one is a constant: AND is true, OR is false.
package indirect enum PredicateNode {
    case constant(Bool)
    case and([PredicateNode])
    case or([PredicateNode])
    case not(PredicateNode)
    case comparison(NSComparisonPredicate)
    /// A predicate that is a Swift closure or of a custom class: it can only be evaluated.
    case opaque(NSPredicate)

    /// The tree of a predicate of any class.
    package init(_ predicate: NSPredicate) {
        switch predicate {
        case let comparison as NSComparisonPredicate: self = .comparison(comparison)
        case let compound as Foundation.NSCompoundPredicate: self = PredicateNode(compound: compound)
        case let constant as ConstantPredicate: self = .constant(constant.value)
        default: self = PredicateNode(simple: predicate)
        }
    }

    private init(compound: Foundation.NSCompoundPredicate) {
        let parts = compound.subpredicates
        switch compound.compoundPredicateType {
        case .not: self = parts.first.map { .not(PredicateNode($0)) } ?? .constant(true)
        case .and where parts.isEmpty: self = .constant(true)
        case .or where parts.isEmpty: self = .constant(false)
        case .and where parts.count > 1: self = .and(parts.map { PredicateNode($0) })
        case .or where parts.count > 1: self = .or(parts.map { PredicateNode($0) })
        default: self = PredicateNode(parts[0])
        }
    }

    private init(simple predicate: NSPredicate) {
        guard type(of: predicate) == NSPredicate.self else {
            self = .opaque(predicate)
            return
        }
        switch (predicate as any PredicateText).predicateFormat {
        case "TRUEPREDICATE": self = .constant(true)
        case "FALSEPREDICATE": self = .constant(false)
        default: self = .opaque(predicate)
        }
    }

    /// A predicate object for the tree.
    package var predicate: NSPredicate {
        switch self {
        case .constant(let value): ConstantPredicate(value: value)
        case .and(let parts): NSCompoundPredicate(type: .and, subpredicates: parts.map(\.predicate))
        case .or(let parts): NSCompoundPredicate(type: .or, subpredicates: parts.map(\.predicate))
        case .not(let part): NSCompoundPredicate(type: .not, subpredicates: [part.predicate])
        case .comparison(let comparison): comparison
        case .opaque(let predicate): predicate
        }
    }
}

/// Foundation deprecates `predicateFormat` but has no other way to distinguish its constant predicates from its block
/// predicates; reading the property through a protocol avoids the warnings.
private protocol PredicateText {
    var predicateFormat: String { get }
}

extension NSPredicate: PredicateText {}
