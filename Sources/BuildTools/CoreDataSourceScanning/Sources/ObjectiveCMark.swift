import SwiftSyntax

/// An attribute that decides whether the Objective-C runtime, and so Apple's frameworks, find members by name.
///
/// An attribute counts between `#if canImport(ObjectiveC)` and `#endif` as well, where `coredata port` puts it.
enum ObjectiveCMark {
    /// `@objc`, or an attribute that implies it.
    case shown
    /// `@nonobjc`.
    case hidden
    /// `@objcMembers`, which exposes all members of a class and of its subclasses.
    case showingMembers

    private init?(_ name: String) {
        switch name {
        case "objc", "IBOutlet", "IBInspectable", "IBAction", "GKInspectable", "NSManaged": self = .shown
        case "nonobjc": self = .hidden
        case "objcMembers": self = .showingMembers
        default: return nil
        }
    }

    /// The marks among some attributes.
    static func all(in attributes: AttributeListSyntax) -> Set<ObjectiveCMark> {
        var marks: Set<ObjectiveCMark> = []
        for element in attributes {
            switch element {
            case .attribute(let attribute):
                if let mark = ObjectiveCMark(attribute.attributeName.trimmedDescription) { marks.insert(mark) }
            case .ifConfigDecl(let conditional):
                for case .attributes(let inner)? in conditional.clauses.map(\.elements) {
                    marks.formUnion(all(in: inner))
                }
            @unknown default: continue
            }
        }
        return marks
    }
}
