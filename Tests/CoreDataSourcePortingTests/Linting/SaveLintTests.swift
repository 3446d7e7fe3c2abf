import CoreDataSourcePorting
import Foundation
import Testing

@Suite struct SaveLintTests {
    private func lint(_ source: String) throws -> [PortFinding] {
        let shop = try Workshop()
        defer { try? FileManager.default.removeItem(at: shop.folder) }
        try shop.add("Source.swift", source)
        return try SaveLint(of: [shop.folder.path]).findings
    }

    @Test(
        "TEST-09: each way to ignore the error of a save is found, with its line",
        arguments: [
            "try? context.save()", "_ = try? context.save()", "let _ = try? self.context.save()",
            "try? await context.perform { }.save()", "try! context.save()", "if dirty { try? context.save() }",
            "defer { try? persistence.saveContext() }", "queue.async { try? context.save() }",
            "do { try context.save() } catch {}", "do { print(1); try context.save() } catch { /* never */ }",
            "#if DEBUG\nx = 1\n#else\ntry? context.save()\n#endif", "try? (context.save())", "try? context?.save()",
        ])
    func ignoredSavesAreFound(_ line: String) throws {
        let found = try lint("func f() {\n\(line)\n}\n")
        #expect(found.count == 1, "\(found)")
        #expect(found.first?.message.contains("save") == true)
        #expect(found.first?.line == (line.hasPrefix("#if") ? 5 : 2))
    }

    @Test(
        "TEST-09: what looks at the error is not found",
        arguments: [
            "try context.save()", "do { try context.save() } catch { print(error) }",
            "let result = try? context.save()", "if (try? context.save()) == nil { show() }",
            "guard (try? context.save()) != nil else { return }", "try? FileManager.default.removeItem(at: url)",
            "try? context.save() // coredata:ignored: the cache is made again",
            "let heroes = try? context.fetch(request)",
            "return (try? context.fetch(request))?.first", "do { try other() } catch {}", "// try? context.save()",
            "let text = \"try? context.save()\"",
        ])
    func handledErrorsAreNotFound(_ line: String) throws {
        #expect(try lint("func f() {\n\(line)\n}\n") == [])
    }

    @Test(
        "TEST-09: a failed fetch that looks like an empty one is found",
        arguments: [
            "let heroes = (try? context.fetch(request)) ?? []", "return try? context.fetch(request) ?? []",
            "try? controller.performFetch()", "_ = try? context.execute(batch)",
            "try? context.obtainPermanentIDs(for: all)",
        ])
    func emptyFetchesAreFound(_ line: String) throws {
        #expect(try lint("func f() {\n\(line)\n}\n").count == 1)
    }

    @Test("a store that was not opened must be noticed (TEST-09)")
    func ignoredStoresAreFound() throws {
        let ignored = [
            "container.loadPersistentStores { _, _ in }",
            "container.loadPersistentStores { description, error in done() }",
            "container.loadPersistentStores(completionHandler: { _, _ in print(1) })",
            "container.loadPersistentStores { (description, _) in print(description) }",
        ]
        for line in ignored { #expect(try lint(line).count == 1, "\(line)") }
        let seen = [
            "container.loadPersistentStores { _, error in if let error { fatalError(\"\\(error)\") } }",
            "container.loadPersistentStores { if let error = $1 { show(error) } }",
            "container.loadPersistentStores { (_, failure) in self.failure = failure }",
            "container.loadPersistentStores(completionHandler: handler)",
        ]
        for line in seen { #expect(try lint(line) == [], "\(line)") }
    }

    @Test("5,000 findings in one file are all found; what cannot be Swift, or is too deep, is named (TEST-09)")
    func sizesAndBadInput() throws {
        let many = (0..<5_000).map { "func f\($0)() { try? context.save() }" }.joined(separator: "\n")
        let found = try lint(many)
        #expect(found.count == 5_000 && found.last?.line == 5_000)
        #expect(try lint("func (").first?.message.contains("no Swift") == true)
        #expect(try lint(String(repeating: "(", count: 50_000)).first?.line == 0)
        #expect(throws: (any Error).self) { try SaveLint(of: ["/no/such/folder"]) }
    }
}
