import SwiftSyntax

/// Imports of modules that only Apple's systems have are put behind `#if canImport`.
extension FilePort {
    mutating func guardImport(_ declaration: ImportDeclSyntax) {
        guard let module = declaration.path.first?.name.text, AppleModules.contains(module) else { return }
        appleImports.insert(module)
        let bytes = declaration.bytes
        let indent = source.indent(at: bytes.lowerBound)
        guard source.startsLine(bytes.lowerBound), let end = source.lineEnd(after: bytes.upperBound) else {
            return report(declaration, "the import of \(module) belongs behind '#if canImport(\(module))'")
        }
        let lines = ["#if canImport(\(module))", source.text(bytes.lowerBound..<end), "#endif"]
        edit(bytes.lowerBound..<end, lines.joined(separator: source.newline + indent))
    }
}
