import CoreDataModelCompiler

/// The symbols of the accessors of a module's managed properties and methods, as the compiler mangles them.
package struct AccessorSymbols {
    /// A managed property or method with its symbols.
    package struct Entry: Equatable, Sendable {
        package enum Member: Equatable, Sendable {
            case property(ManagedProperty, getter: String, setter: String)
            case method(ManagedMethod, symbol: String)
        }

        /// The path of the class, such as `Outer.Inner`.
        package let path: String
        package let member: Member
    }

    /// In the order of the sources.
    package let entries: [Entry]

    /// Compiles a stub of the module and reads the symbols from the compiler's output.
    ///
    /// `others` are the imported modules with known sources, each after the modules that it imports. Compiled files
    /// stay in `folder`: a stub that has not changed is not compiled again.
    /// - Throws: `CompilerRun.Failure` with the compiler's errors, which name places in the sources; errors of the file
    ///   system.
    package init(
        of module: ScannedModule, others: [ScannedModule] = [], compiler: URL, folder: URL
    ) throws {
        let others = others.map(\.withoutMembers)
        var library = try StubLibrary(compiler: CompilerRun(compiler: compiler), folder: folder)
        let mentioned = ModuleStub.mentioned(in: [module] + others)
        for other in others {
            let stub = ModuleStub(other, importable: library.importable, mentioned: mentioned)
            try library.add(other.name, stub.sources)
        }
        let stub = ModuleStub(module, importable: library.importable, mentioned: mentioned)
        let symbols = SymbolReader.symbols(in: try library.code(of: module.name, stub.sources))
        entries = try Self.entries(stub.accessors, symbols)
    }

    private static func entries(_ accessors: [ModuleStub.Accessor], _ symbols: [Int: String]) throws -> [Entry] {
        func symbol(_ number: Int) throws -> String {
            guard let symbol = symbols[number] else {
                throw CompilerRun.Failure(
                    description: "The compiler gave no name for an accessor of \(accessors[number].path).")
            }
            return symbol
        }
        return try accessors.indices.compactMap { number in
            let path = accessors[number].path
            switch accessors[number].role {
            case .getter(let property):
                // A setter follows its getter.
                return Entry(
                    path: path,
                    member: .property(property, getter: try symbol(number), setter: try symbol(number + 1)))
            case .setter: return nil
            case .method(let method): return Entry(path: path, member: .method(method, symbol: try symbol(number)))
            }
        }
    }
}
