import SwiftSyntax

/// Without Objective-C, `Bundle(for:)` returns the main bundle. The rule uses `Bundle.module`, which has the resources
/// of a package's target.
extension FilePort {
    mutating func rewriteBundle(_ call: FunctionCallExprSyntax, _ surroundings: SyntaxWalk.Surroundings) {
        guard ["Bundle", "Foundation.Bundle", "Bundle.init"].contains(call.calledExpression.trimmedDescription),
            call.arguments.count == 1, call.arguments.first?.label?.text == "for"
        else { return }
        guard module.hasModel, double(surroundings.item) else {
            return report(
                call, "Bundle(for:) finds the program here: resources of a package's target are in Bundle.module")
        }
        edit(call.bytes, "Bundle.module")
    }
}
