import SwiftSyntax
import SwiftSyntaxBuilder

/// The members by which a model class keeps its values.
///
/// A final class without a superclass has its storage in one variable. Each other class of a hierarchy has a storage of
/// its own, since the initializer of a subclass sets its properties before those of the superclass exist; setting
/// `_$storage`, which subclasses override, sets that of all.
struct ModelMembers {
    private let model: ClassDeclSyntax
    private let properties: [ModelProperty]
    /// The superclass, if it is a model.
    private let superclass: String?
    private let access: String
    private let isAlone: Bool

    init(_ model: ClassDeclSyntax, _ properties: [ModelProperty], superclass: String?) {
        self.model = model
        self.properties = properties
        self.superclass = superclass
        access = model.accessForLibrary
        isAlone = Self.isAlone(model)
    }

    /// Whether a class can have neither a superclass nor subclasses, by what its declaration says.
    static func isAlone(_ declaration: some DeclGroupSyntax) -> Bool {
        declaration.inheritanceClause == nil && isFinal(declaration)
    }

    private static func isFinal(_ declaration: some DeclGroupSyntax) -> Bool {
        declaration.modifiers.contains { $0.name.tokenKind == .keyword(.final) }
    }

    /// What stands before the name of a member that subclasses override.
    private var member: String {
        let isOpen = model.modifiers.contains { $0.name.tokenKind == .keyword(.open) }
        return (isOpen ? "open " : access) + (superclass == nil ? "" : "override ")
    }

    /// What stands before the name of a member of the type that subclasses override.
    var typeMember: String {
        superclass == nil && Self.isFinal(model) ? "\(access)static var" : "\(member)class var"
    }

    /// The variables with the values.
    var storage: [DeclSyntax] {
        if isAlone { return ["@exclusivity(unchecked) \(raw: access)var _$storage = SwiftData.ModelStorage()"] }
        guard let superclass else {
            return [
                "@exclusivity(unchecked) private var _$own = SwiftData.ModelStorage()",
                "private static var _$base: Int { 0 }",
                "\(raw: member)var _$storage: SwiftData.ModelStorage { get { _$own } set { _$own = newValue } }",
                "\(raw: member)var _$storages: [SwiftData.ModelStorage] { [_$own] }",
                "\(raw: typeMember) _$superclass: (any SwiftData.PersistentModel.Type)? { nil }",
            ]
        }
        return [
            "@exclusivity(unchecked) private var _$own = SwiftData.ModelStorage(after: \(raw: superclass).self)",
            "private static let _$base = SwiftData.ModelStorage.propertyCount(of: \(raw: superclass).self)",
            """
            \(raw: member)var _$storage: SwiftData.ModelStorage {
                get { super._$storage }
                set {
                    super._$storage = newValue
                    _$own = newValue
                }
            }
            """,
            "\(raw: member)var _$storages: [SwiftData.ModelStorage] { super._$storages + [_$own] }",
            "\(raw: typeMember) _$superclass: (any SwiftData.PersistentModel.Type)? { \(raw: superclass).self }",
        ]
    }

    /// The initializer that makes a model of a record. A subclass that has no initializers inherits it with all others.
    var initializer: [DeclSyntax] {
        if superclass != nil, !model.hasDesignatedInitializer, !properties.contains(where: \.isConstant) { return [] }
        let base = superclass == nil ? "" : "\(model.name.text)._$base + "
        var lines = properties.map {
            $0.isConstant
                ? "self.\($0.name.text) = storage.value(\(base)\($0.number))"
                : "\($0.slotName) = SwiftData.PersistedSlot()"
        }
        if isAlone {
            lines.append("_$storage = storage")
        } else {
            lines.append("_$own = storage")
            lines.append(superclass == nil ? "self._$storage = storage" : "super.init(_$storage: storage)")
        }
        return [
            """
            \(raw: access)required init(_$storage storage: SwiftData.ModelStorage) {
                \(raw: lines.joined(separator: "\n    "))
            }
            """
        ]
    }
}

extension ClassDeclSyntax {
    /// The first of the inherited types, which is the superclass if there is one.
    var superclass: String? { inheritanceClause?.inheritedTypes.first?.type.trimmedDescription }

    /// Whether the body declares an initializer that is not `convenience`.
    var hasDesignatedInitializer: Bool {
        memberBlock.members.contains { member in
            guard let initializer = member.decl.as(InitializerDeclSyntax.self) else { return false }
            return !initializer.modifiers.contains { $0.name.tokenKind == .keyword(.convenience) }
        }
    }
}
