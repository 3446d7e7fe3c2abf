import SwiftSyntax

/// Without Objective-C, an extension cannot override members, and subclasses cannot override members of an extension.
/// The rule moves such members into the body of the class.
extension FilePort {
    mutating func moveMembers(of declaration: ExtensionDeclSyntax) {
        let name = declaration.extendedClass ?? ""
        let access = declaration.modifiers.map(\.name.text).first { ["public", "package", "internal"].contains($0) }
        for member in declaration.memberBlock.members where mustMove(member.decl, of: name) {
            let place = member.decl.bytes
            guard !gated.contains(where: { $0.contains(place.lowerBound) }) else { continue }
            guard facts.classFiles[name] != nil else {
                report(
                    member.decl,
                    "without Objective-C an extension cannot override, nor its members be overridden: move it into the body "
                        + "of the class, or make it a protocol's")
                continue
            }
            moves.append(
                MemberMove(
                    type: name, range: member.commentedStart..<member.bytes.upperBound, declaration: member.decl,
                    access: access))
        }
    }

    private func mustMove(_ declaration: DeclSyntax, of type: String) -> Bool {
        guard let modifiers = declaration.asProtocol((any WithModifiersSyntax).self)?.modifiers else { return false }
        if modifiers.isOverride { return true }
        switch declaration.as(DeclSyntaxEnum.self) {
        case .functionDecl(let function): return facts.isOverridden(function.name.text, of: type)
        case .variableDecl(let variable):
            return variable.bindings.first.map { facts.isOverridden($0.pattern.trimmedDescription, of: type) } ?? false
        case .initializerDecl(let initializer):
            return facts.isManaged(type) && (initializer.takesContext || initializer.isInserting)
        default: return false
        }
    }

    /// Removes a member from its extension and returns its lines for the body of the class. Reports it and returns nil
    /// if the class is in another file and the member uses a name that is private to this file.
    mutating func take(_ move: MemberMove, to file: String) -> [String]? {
        if file != path, let hidden = hiddenName(in: move.declaration) {
            report(
                move.declaration,
                "without Objective-C it must be in the body of \(move.type), whose file cannot name '\(hidden)'")
            return nil
        }
        var text = takeEdits(in: move.range)
        edit(source.wholeLines(move.range), "")
        let modifiers = move.declaration.asProtocol((any WithModifiersSyntax).self)?.modifiers
        let words = Set(modifiers?.map(\.name.text) ?? [])
        if let access = move.access,
            words.isDisjoint(with: ["private", "fileprivate", "internal", "package", "public", "open"]),
            let start = firstWord(of: move.declaration)
        {
            // Edits may have shifted the first modifier, so it is found by its text.
            let word = source.text(start)
            if let found = text.range(of: word) { text.insert(contentsOf: access + " ", at: found.lowerBound) }
        }
        return [""] + (source.indent(at: move.range.lowerBound) + text).components(separatedBy: source.newline)
    }

    /// The range of the first modifier of a declaration; nil without modifiers.
    private func firstWord(of declaration: DeclSyntax) -> Range<Int>? {
        declaration.asProtocol((any WithModifiersSyntax).self)?.modifiers.first?.bytes
    }

    /// A name used in a declaration that this file declares `private` or `fileprivate`; nil if there is none.
    private func hiddenName(in declaration: DeclSyntax) -> String? {
        var hidden: Set<String> = []
        SyntaxWalk.visitAll(tree) { node in
            guard let modifiers = node.asProtocol((any WithModifiersSyntax).self)?.modifiers,
                modifiers.contains(where: { ["private", "fileprivate"].contains($0.name.text) && $0.detail == nil })
            else { return }
            hidden.formUnion(node.as(DeclSyntax.self)?.declaredNames ?? [])
        }
        var found: String?
        SyntaxWalk.visitAll(declaration) { node in
            guard let token = node.as(TokenSyntax.self), case .identifier(let name) = token.tokenKind else { return }
            if hidden.contains(name) { found = name }
        }
        return found
    }

    /// Adds lines at the end of a class body; returns false if the class is not in this file.
    mutating func insert(_ lines: [String], intoClass name: String) -> Bool {
        var brace: Int?
        SyntaxWalk.visitAll(tree) { node in
            guard let type = node.as(ClassDeclSyntax.self), type.name.text == name else { return }
            brace = brace ?? type.memberBlock.rightBrace.positionAfterSkippingLeadingTrivia.utf8Offset
        }
        guard let brace else { return false }
        classEnds[brace, default: []] += lines
        return true
    }
}
