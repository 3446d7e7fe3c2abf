import SwiftIfConfig
import SwiftSyntax

/// Finds `@NSManaged` members of classes inside functions, for which no other file can declare accessors.
final class LocalMembers: SyntaxVisitor {
    private let regions: ConfiguredRegions
    private var found: [Syntax] = []

    private init(_ regions: ConfiguredRegions) {
        self.regions = regions
        super.init(viewMode: .sourceAccurate)
    }

    /// The first such member of each class.
    static func first(in tree: SourceFileSyntax, _ conditions: BuildConditions) -> [Syntax] {
        let visitor = LocalMembers(tree.configuredRegions(in: conditions))
        visitor.walk(tree)
        var classes: Set<SyntaxIdentifier> = []
        return visitor.found.filter { classes.insert($0.parent?.parent?.id ?? $0.id).inserted }
    }

    override func visit(_ attribute: AttributeSyntax) -> SyntaxVisitorContinueKind {
        guard attribute.attributeName.trimmedDescription == "NSManaged", regions.isActive(attribute) == .active else {
            return .skipChildren
        }
        var node = Syntax(attribute).parent
        var member: Syntax?
        while let outer = node {
            if member == nil, outer.is(MemberBlockItemSyntax.self) { member = outer }
            // Members of types are in member blocks, so a code block must be around the class.
            if outer.is(CodeBlockSyntax.self) || outer.is(ClosureExprSyntax.self) || outer.is(AccessorBlockSyntax.self)
            {
                if let member { found.append(member) }
                break
            }
            node = outer.parent
        }
        return .skipChildren
    }
}
