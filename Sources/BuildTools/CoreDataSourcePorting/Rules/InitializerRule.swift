import SwiftSyntax

/// The library declares initializers `required` that Apple's Core Data does not, since it calls them through metatypes.
extension FilePort {
    /// Marks an override of such an initializer `required` and raises its access level where the compiler demands it.
    mutating func requireInitializer(_ initializer: InitializerDeclSyntax) {
        let outer = initializer.enclosingType
        let type = outer?.as(ClassDeclSyntax.self)
        guard let name = type?.name.text ?? outer?.as(ExtensionDeclSyntax.self)?.extendedClass else { return }
        let modifiers = initializer.modifiers
        // An override of a convenience initializer has no `override` modifier.
        let word: Keyword = initializer.takesContext ? .convenience : .override
        let modifier = modifiers.first { $0.name.tokenKind == .keyword(word) }
        let isMeant =
            initializer.takesContext
            ? facts.isManaged(name) : (initializer.isInserting || initializer.takesModel) && modifier != nil
        guard isMeant else { return }
        if !modifiers.contains(where: { $0.name.tokenKind == .keyword(.required) }) {
            let place = modifier?.bytes.lowerBound ?? initializer.initKeyword.bytes.lowerBound
            edit(place..<place, "required ")
        }
        if let type { showInitializer(initializer, of: type) }
    }

    /// Gives a required initializer the access level that the compiler demands: `public` in an open class, and not
    /// private in a class that other files see.
    private mutating func showInitializer(_ initializer: InitializerDeclSyntax, of type: ClassDeclSyntax) {
        let classAccess = type.modifiers.lazy.map(\.name.text).first { Self.accessWords.contains($0) } ?? "internal"
        guard let own = initializer.modifiers.first(where: { Self.accessWords.contains($0.name.text) }) else {
            guard classAccess == "open" else { return }
            let place = initializer.modifiers.first?.bytes.lowerBound ?? initializer.initKeyword.bytes.lowerBound
            return edit(place..<place, "public ")
        }
        guard ["private", "fileprivate"].contains(own.name.text), !["private", "fileprivate"].contains(classAccess)
        else {
            return
        }
        let range = own.bytes.lowerBound..<source.nextText(after: own.bytes.upperBound)
        edit(range, classAccess == "open" ? "public " : "")
    }

    private static var accessWords: Set<String> { ["private", "fileprivate", "internal", "package", "public", "open"] }

    /// Adds `required init(entity:insertInto:)` to a managed class whose own designated initializers prevent its
    /// inheritance; reports a class with stored properties that need initial values.
    mutating func addRequiredInitializer(_ type: ClassDeclSyntax) {
        let name = type.name.text
        guard let known = facts.initializers[name], known.hasDesignated, !known.hasInserting, facts.isManaged(name)
        else { return }
        guard
            !type.memberBlock.members.contains(where: { $0.decl.as(VariableDeclSyntax.self)?.needsInitialValue == true }
            )
        else {
            return report(
                type.name,
                "\(name) needs 'required init(entity:insertInto:)', which gives its stored properties their values")
        }
        let brace = type.memberBlock.rightBrace.positionAfterSkippingLeadingTrivia.utf8Offset
        let inner = memberIndent(of: type) ?? source.indent(at: brace) + "    "
        let head =
            "required \(access(of: type))init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {"
        classEnds[brace, default: []] += [
            "\(inner)#if !canImport(ObjectiveC)", "\(inner)\(head)",
            "\(inner)    super.init(entity: entity, insertInto: context)", "\(inner)}", "\(inner)#endif",
        ]
    }

    /// The indent of the first member of a class that begins a line; nil if there is none.
    func memberIndent(of type: ClassDeclSyntax) -> String? {
        let places = type.memberBlock.members.lazy.map(\.bytes.lowerBound)
        return places.first { source.startsLine($0) }.map { source.indent(at: $0) }
    }

    /// The access modifier, with a space, that a required or overriding member of a class needs; empty for internal.
    func access(of type: ClassDeclSyntax) -> String {
        let words = type.modifiers.compactMap { modifier -> String? in
            switch modifier.name.tokenKind {
            case .keyword(.open), .keyword(.public): "public "
            case .keyword(.package): "package "
            default: nil
            }
        }
        return words.first ?? ""
    }
}

extension VariableDeclSyntax {
    /// Whether it is a stored property that an initializer must set.
    var needsInitialValue: Bool {
        let words = modifiers.map(\.name.text)
        guard !words.contains("static"), !words.contains("class"), !words.contains("lazy"),
            !attributes.trimmedDescription.contains("@NSManaged")
        else { return false }
        let isVariable = bindingSpecifier.tokenKind == .keyword(.var)
        return bindings.contains { binding in
            guard binding.initializer == nil, !Self.isComputed(binding) else { return false }
            let type = binding.typeAnnotation?.type
            let isOptional =
                type?.is(OptionalTypeSyntax.self) == true
                || type?.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) == true
            return !(isVariable && isOptional)
        }
    }

    private static func isComputed(_ binding: PatternBindingSyntax) -> Bool {
        switch binding.accessorBlock?.accessors {
        case .getter: true
        case .accessors(let accessors):
            accessors.contains { ["get", "_read", "unsafeAddress"].contains($0.accessorSpecifier.text) }
        default: false
        }
    }
}
