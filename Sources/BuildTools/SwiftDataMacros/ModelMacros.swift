@_spi(PluginMessage) import SwiftCompilerPluginMessageHandling
import SwiftSyntaxMacros

/// The macros of `SwiftData` by the names of the types in its declarations.
struct ModelMacros: PluginProvider {
    private let macros: [String: any Macro.Type] = [
        "ModelMacro": ModelMacro.self, "PersistedPropertyMacro": PersistedPropertyMacro.self,
        "AnnotationMacro": AnnotationMacro.self, "EmptyDeclarationMacro": EmptyDeclarationMacro.self,
        "ModelActorMacro": ModelActorMacro.self,
    ]

    func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
        guard let macro = macros[typeName] else { throw UnknownMacro(name: "\(moduleName).\(typeName)") }
        return macro
    }

    func loadPluginLibrary(libraryPath: String, moduleName: String) throws {
        throw UnknownMacro(name: "\(moduleName) in \(libraryPath)")
    }
}

/// The compiler asks for a macro that this program lacks: library and program are of different versions.
private struct UnknownMacro: Error, CustomStringConvertible {
    let name: String
    var description: String { "macro \(name) is not one of SwiftDataMacros; clean the build folder and build again" }
}
