import SwiftParser
import SwiftSyntax

/// Which targets of a package's manifest use the plugin, as far as its text shows.
struct PackageManifest {
    private static let plugin = "CoreDataModelPlugin"
    private let text: String
    /// Whether each target has the plugin, keyed by the target's name.
    private var targets: [String: Bool] = [:]

    init(_ text: String) {
        self.text = text
        guard text.contains(Self.plugin), text.utf8.count < ParsedSource.sizeLimit, Nesting.isBounded(Array(text.utf8))
        else { return }
        var targets: [String: Bool] = [:]
        SyntaxWalk.visitAll(Parser.parse(source: text)) { node in
            guard let call = node.as(FunctionCallExprSyntax.self),
                let kind = call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text,
                ["target", "testTarget", "executableTarget", "macro"].contains(kind), call.arguments.count > 1,
                let name = call.arguments.first(where: { $0.label?.text == "name" })?.expression
                    .as(StringLiteralExprSyntax.self)?.representedLiteralValue
            else { return }
            let plugins = call.arguments.first { $0.label?.text == "plugins" }?.expression.trimmedDescription
            targets[name] = plugins?.contains(Self.plugin) ?? false
        }
        self.targets = targets
    }

    /// Whether a target has the plugin. For a target that was not found in the manifest: whether the manifest names the
    /// plugin at all.
    func usesPlugin(_ target: String) -> Bool { targets[target] ?? text.contains(Self.plugin) }
}
