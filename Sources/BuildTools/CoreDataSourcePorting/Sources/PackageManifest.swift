import SwiftParser
import SwiftSyntax

/// What a package's manifest says of its targets, as far as it can be read from the text.
struct PackageManifest {
    private static let plugin = "CoreDataModelPlugin"
    private let text: String
    /// Whether a target has the plugin, by its name.
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

    /// Whether a target has the plugin; of one that the manifest makes in another way, whether it names the plugin at all.
    func usesPlugin(_ target: String) -> Bool { targets[target] ?? text.contains(Self.plugin) }
}
