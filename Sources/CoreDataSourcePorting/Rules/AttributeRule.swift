import SwiftSyntax

/// Attributes that need Objective-C are put behind `#if canImport(ObjectiveC)`, in lines of their own.
enum AttributeRule {
    private static let names: Set = ["objc", "objcMembers", "IBOutlet", "NSApplicationMain", "UIApplicationMain"]

    /// Whether an attribute cannot be compiled without Objective-C.
    static func applies(to element: AttributeListSyntax.Element) -> Bool {
        element.as(AttributeSyntax.self).map { names.contains($0.attributeName.trimmedDescription) } ?? false
    }

    /// The name that `@objc(name)` gives.
    static func objectiveCName(of attributes: AttributeListSyntax) -> String? {
        for case .attribute(let attribute) in attributes
        where attribute.attributeName.trimmedDescription == "objc" {
            return attribute.arguments?.trimmedDescription
        }
        return nil
    }
}

extension FilePort {
    mutating func guardAttributes(_ attributes: AttributeListSyntax) {
        guard let owner = attributes.parent else { return }
        for run in runs(of: attributes) { guardAttribute(run, of: owner) }
    }

    /// The attributes to guard, those that nothing but blanks parts together.
    private func runs(of attributes: AttributeListSyntax) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for element in attributes where AttributeRule.applies(to: element) {
            let bytes = element.bytes
            if let last = runs.last, source.nextText(after: last.upperBound) == bytes.lowerBound {
                runs[runs.count - 1] = last.lowerBound..<bytes.upperBound
            } else {
                runs.append(bytes)
            }
        }
        return runs
    }

    private mutating func guardAttribute(_ range: Range<Int>, of owner: Syntax) {
        let text = source.text(range)
        let indent = source.indent(at: range.lowerBound)
        let next = source.nextText(after: range.upperBound)
        if source.startsLine(range.lowerBound) {
            if let end = source.lineEnd(after: range.upperBound) {
                return edit(
                    range.lowerBound..<end, guarded(source.text(range.lowerBound..<end), indent: indent))
            }
            return edit(range.lowerBound..<next, guarded(text, indent: indent) + source.newline + indent)
        }
        // An attribute in the middle of a line goes before its declaration.
        let start = owner.positionAfterSkippingLeadingTrivia.utf8Offset
        let lead = source.startsLine(start) ? "" : source.newline + indent
        let block = lead + guarded(text, indent: indent) + source.newline + indent
        let gap = source.textEnd(before: start)
        guard start < range.lowerBound else { return edit(gap..<next, block) }
        edit(gap..<start, lead.isEmpty ? source.text(gap..<start) + block : block)
        edit(range.lowerBound..<next, "")
    }
}
