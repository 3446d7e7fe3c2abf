import SwiftSyntax

/// Imports of modules that only Apple's systems have are put behind `#if canImport`.
extension FilePort {
    /// The module that an import names, if only Apple's systems have it.
    static func appleModule(of declaration: ImportDeclSyntax) -> String? {
        declaration.path.first.flatMap { AppleModules.contains($0.name.text) ? $0.name.text : nil }
    }

    mutating func guardImport(_ declaration: ImportDeclSyntax) {
        guard let module = Self.appleModule(of: declaration) else { return }
        guardedImports.insert(module)
        let bytes = declaration.bytes
        let indent = source.indent(at: bytes.lowerBound)
        guard source.startsLine(bytes.lowerBound), let end = source.lineEnd(after: bytes.upperBound) else {
            return report(declaration, "the import of \(module) belongs behind '#if canImport(\(module))'")
        }
        let lines = ["#if canImport(\(module))", source.text(bytes.lowerBound..<end), "#endif"]
        edit(bytes.lowerBound..<end, lines.joined(separator: source.newline + indent))
    }
}
