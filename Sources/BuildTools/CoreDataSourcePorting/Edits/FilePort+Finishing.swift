import SwiftSyntax

extension FilePort {
    /// Adds the edits for the ranges in `doubled`: each becomes an `#if canImport(ObjectiveC)` with the original and
    /// the edited text.
    mutating func finish() {
        // A range inside another range is duplicated as part of the outer one.
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

    /// Adds an edit for each entry of `classEnds`: its lines, inserted before the closing brace of the class.
    mutating func addClassEnds() {
        for (brace, lines) in classEnds {
            let lead = source.startsLine(brace) ? "" : source.newline
            let all = lines + [source.indent(at: brace)]
            edit(source.textEnd(before: brace)..<brace, lead + all.joined(separator: source.newline))
        }
        classEnds = [:]
    }

    /// Marks a statement or variable to be written twice, unchanged for Apple's systems and edited for others. Returns
    /// false for nil and for any other declaration, which is not marked.
    mutating func double(_ item: Syntax?) -> Bool {
        guard let item else { return false }
        // Another declaration, such as a type or function, would be duplicated as a whole for a single expression in
        // it.
        let declaration =
            item.as(MemberBlockItemSyntax.self)?.decl ?? item.as(CodeBlockItemSyntax.self)?.item.as(DeclSyntax.self)
        guard declaration == nil || declaration?.is(VariableDeclSyntax.self) == true else { return false }
        if !doubled.contains(item.bytes) { doubled.append(item.bytes) }
        return true
    }
}
