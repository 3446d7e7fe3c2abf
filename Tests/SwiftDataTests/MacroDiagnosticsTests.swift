import Foundation
import TestBasics
import Testing

/// What the compiler says of models that the macros refuse.
@Suite struct MacroDiagnosticsTests {
    /// Compiles a source that imports `SwiftData`; returns the compiler's exit status and its output.
    private func compile(_ source: String) throws -> (code: Int32, output: String) {
        let modules = try #require(Toolchain.modules)
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "Model.swift")
        try Data(("import SwiftData\n" + source).utf8).write(to: file)
        let tool = modules.deletingLastPathComponent().appending(path: "SwiftDataMacros-tool")
        return try Toolchain.run(
            "swiftc",
            ["-emit-sil", "-o", folder.url.appending(path: "sil").path, "-swift-version", "6", file.path]
                + Toolchain.flags(modules: modules) + [
                    "-Xfrontend", "-load-plugin-executable", "-Xfrontend", "\(tool.path)#SwiftDataMacros",
                    "-module-cache-path", folder.url.appending(path: "cache").path,
                ])
    }

    private func expect(
        _ message: String, atLine line: Int, in source: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let (code, output) = try compile(source)
        // The first line of the file is the import.
        let isSaid = output.split(separator: "\n").contains {
            $0.contains("Model.swift:\(line + 1):") && $0.contains("error: \(message)")
        }
        #expect(code != 0 && isSaid, "\(output)", sourceLocation: sourceLocation)
    }

    @Test func modelThatIsFineCompiles() throws {
        let (code, output) = try compile("@Model public final class A { public var name: String = \"\" }")
        #expect(code == 0, "\(output)")
    }

    @Test func hierarchiesOfAnyAccessCompile() throws {
        let source = """
            @Model open class A: Identifiable { public var name = ""; public init() {} }
            @Model open class B: A { public var size: Int; public init(size: Int) { self.size = size; super.init() } }
            @Model public final class C: B { public let code = 1; public var note: String? }
            @Model class D { let key: Int; init(key: Int) { self.key = key } }
            @Model final class E: D { let other: String; init(other: String) { self.other = other; super.init(key: 1) } }
            """
        let (code, output) = try compile(source)
        #expect(code == 0 && !output.contains("warning"), "\(output)")
    }

    @Test func structureIsRefusedAtItsKeyword() throws {
        try expect("@Model requires a class", atLine: 2, in: "@Model\nstruct A { var name = \"\" }")
        try expect("@Model requires a class", atLine: 1, in: "@Model\nenum A {}")
    }

    @Test func missingInitializerIsReportedAtTheProperty() throws {
        try expect(
            "@Model requires an initializer in 'A' that sets 'name', or a default value", atLine: 4,
            in: "@Model\nfinal class A {\nvar count = 0\nvar name: String\n}")
    }

    @Test func variablesWithoutAccessorsAreRefused() throws {
        try expect(
            "a lazy property cannot be persisted", atLine: 3, in: "@Model\nfinal class A {\nlazy var name = \"\"\n}")
        try expect(
            "a persisted property has no didSet", atLine: 3,
            in: "@Model\nfinal class A {\nvar name = \"\" { didSet {} }\n}")
        try expect(
            "@Model requires a declaration for each persisted property", atLine: 3,
            in: "@Model\nfinal class A {\nvar one = 1, two = 2\n}")
    }

    @Test func initializerThatSetsNotAllIsRefused() throws {
        let (code, output) = try compile("@Model final class A { var name: String; init() {} }")
        #expect(code != 0 && output.contains("return from initializer without initializing"), "\(output)")
    }

    @Test func persistedConstantWithAValueIsRefused() throws {
        try expect(
            "a constant with a value is the same in all objects", atLine: 3,
            in: "@Model\nfinal class A {\n@Attribute(.unique) let name = \"\"\n}")
    }
}
