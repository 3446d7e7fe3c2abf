import SwiftSyntax

/// Puts attributes that need Objective-C behind `#if canImport(ObjectiveC)`, and `@Published` behind Combine.
enum ObjectiveCAttributeRule {
    private static let names: Set = ["objc", "objcMembers", "IBOutlet", "NSApplicationMain", "UIApplicationMain"]

    /// Whether an attribute compiles only with Objective-C or Combine.
    static func applies(to element: AttributeListSyntax.Element) -> Bool {
        module(of: element) != nil
    }

    /// The module without which an attribute does not compile; nil for an attribute that compiles on all systems.
    static func module(of element: AttributeListSyntax.Element) -> String? {
        guard let name = element.as(AttributeSyntax.self)?.attributeName.trimmedDescription else { return nil }
        return names.contains(name) ? "ObjectiveC" : name == ConformanceRule.published ? "Combine" : nil
    }
}

extension FilePort {
    mutating func guardAttributes(_ attributes: AttributeListSyntax) {
        guard let owner = attributes.parent else { return }
        for (run, module) in runs(of: attributes) { guardAttribute(run, of: owner, module) }
    }

    /// The ranges of the attributes to guard; attributes that only white space separates share a range.
    private func runs(of attributes: AttributeListSyntax) -> [(range: Range<Int>, module: String)] {
        var runs: [(range: Range<Int>, module: String)] = []
        for element in attributes {
            guard let module = ObjectiveCAttributeRule.module(of: element) else { continue }
            let bytes = element.bytes
            if let last = runs.last, last.module == module,
                source.nextText(after: last.range.upperBound) == bytes.lowerBound
            {
                runs[runs.count - 1] = (last.range.lowerBound..<bytes.upperBound, module)
            } else {
                runs.append((bytes, module))
            }
        }
        return runs
    }

    private mutating func guardAttribute(_ range: Range<Int>, of owner: Syntax, _ module: String) {
        let text = source.text(range)
        let indent = source.indent(at: range.lowerBound)
        let next = source.nextText(after: range.upperBound)
        if source.startsLine(range.lowerBound) {
            if let end = source.lineEnd(after: range.upperBound) {
                return edit(
                    range.lowerBound..<end, guarded(source.text(range.lowerBound..<end), indent: indent, module: module)
                )
            }
            return edit(
                range.lowerBound..<next, guarded(text, indent: indent, module: module) + source.newline + indent)
        }
        // An attribute in the middle of a line moves before its declaration.
        let start = owner.positionAfterSkippingLeadingTrivia.utf8Offset
        let lead = source.startsLine(start) ? "" : source.newline + indent
        let block = lead + guarded(text, indent: indent, module: module) + source.newline + indent
        let gap = source.textEnd(before: start)
        guard start < range.lowerBound else { return edit(gap..<next, block) }
        edit(gap..<start, lead.isEmpty ? source.text(gap..<start) + block : block)
        edit(range.lowerBound..<next, "")
    }
}
