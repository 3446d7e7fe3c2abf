import SwiftSyntax

/// The initializers that are required here, since metatypes make objects through them.
extension FilePort {
    /// Marks an override of such an initializer as required.
    mutating func requireInitializer(_ initializer: InitializerDeclSyntax) {
        let modifiers = initializer.modifiers
        guard !modifiers.contains(where: { $0.name.tokenKind == .keyword(.required) }) else { return }
        let word: Keyword
        switch initializer.labels {
        case ["entity", "insertInto"], ["managedObjectModel"]: word = .override
        // The superclass's is a convenience initializer, whose override does not say so.
        case ["context"]:
            guard let type = SourceFacts.enclosingClass(of: initializer), facts.isManaged(type) else { return }
            word = .convenience
        default: return
        }
        let modifier = modifiers.first { $0.name.tokenKind == .keyword(word) }
        guard modifier != nil || word == .convenience else { return }
        let place = modifier?.bytes.lowerBound ?? initializer.initKeyword.bytes.lowerBound
        edit(place..<place, "required ")
    }

    /// Gives a class whose own initializers hide `init(entity:insertInto:)` one again, where it is required.
    mutating func addRequiredInitializer(_ type: ClassDeclSyntax) {
        let name = type.name.text
        guard let known = facts.initializers[name], known.hasDesignated, !known.hasInserting, facts.isManaged(name)
        else { return }
        guard !type.memberBlock.members.contains(where: { Self.needsValue($0.decl) }) else {
            return report(
                type.name,
                "\(name) needs 'required init(entity:insertInto:)', which gives its stored properties their values")
        }
        let brace = type.memberBlock.rightBrace.positionAfterSkippingLeadingTrivia.utf8Offset
        let outer = source.indent(at: brace)
        let inner = memberIndent(of: type) ?? outer + "    "
        let head =
            "required \(access(of: type))init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {"
        let lines = [
            "\(inner)#if !canImport(ObjectiveC)", "\(inner)\(head)",
            "\(inner)    super.init(entity: entity, insertInto: context)", "\(inner)}", "\(inner)#endif", outer,
        ]
        let lead = source.startsLine(brace) ? "" : source.newline
        edit(source.textEnd(before: brace)..<brace, lead + lines.joined(separator: source.newline))
    }

    /// How far the members of a class stand from the margin; nil if none begins a line.
    private func memberIndent(of type: ClassDeclSyntax) -> String? {
        let places = type.memberBlock.members.lazy.map(\.bytes.lowerBound)
        return places.first { source.startsLine($0) }.map { source.indent(at: $0) }
    }

    /// What the initializer of a class must be for its subclasses elsewhere.
    private func access(of type: ClassDeclSyntax) -> String {
        let words = type.modifiers.compactMap { modifier -> String? in
            switch modifier.name.tokenKind {
            case .keyword(.open), .keyword(.public): "public "
            case .keyword(.package): "package "
            default: nil
            }
        }
        return words.first ?? ""
    }

    /// Whether a member is a stored property that an initializer must set.
    private static func needsValue(_ declaration: DeclSyntax) -> Bool {
        guard let variable = declaration.as(VariableDeclSyntax.self) else { return false }
        let words = variable.modifiers.map(\.name.text)
        let attributes = variable.attributes.trimmedDescription
        guard !words.contains("static"), !words.contains("class"), !words.contains("lazy"),
            !attributes.contains("@NSManaged")
        else { return false }
        let isVariable = variable.bindingSpecifier.tokenKind == .keyword(.var)
        return variable.bindings.contains { binding in
            guard binding.initializer == nil, !isComputed(binding) else { return false }
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
