import SwiftSyntax

extension FilePort {
    /// Makes the edits of statements that are doubled and of what is added to classes.
    mutating func finish() {
        // What is within another is doubled with it.
        let outer = doubled.filter { range in
            !doubled.contains { $0 != range && $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound }
        }
        for range in outer
        where !edits.contains(where: {
            $0.range.lowerBound < range.lowerBound && $0.range.upperBound > range.upperBound
        }) {
            let edited = takeEdits(in: range)
            edit(range, inOwnLines(range) { ["#if canImport(ObjectiveC)", $0, "#else", edited, "#endif"] })
        }
        doubled = []
    }

    /// Adds what classes get at their ends.
    mutating func addClassEnds() {
        for (brace, lines) in classEnds {
            let lead = source.startsLine(brace) ? "" : source.newline
            let all = lines + [source.indent(at: brace)]
            edit(source.textEnd(before: brace)..<brace, lead + all.joined(separator: source.newline))
        }
        classEnds = [:]
    }

    /// Duplicates a statement or member, for Apple's systems and for others; false without an item.
    mutating func double(_ item: Syntax?) -> Bool {
        guard let item else { return false }
        // Several types and members in one would be doubled for a single expression.
        let declaration =
            item.as(MemberBlockItemSyntax.self)?.decl ?? item.as(CodeBlockItemSyntax.self)?.item.as(DeclSyntax.self)
        guard declaration == nil || declaration?.is(VariableDeclSyntax.self) == true else { return false }
        if !doubled.contains(item.bytes) { doubled.append(item.bytes) }
        return true
    }
}
