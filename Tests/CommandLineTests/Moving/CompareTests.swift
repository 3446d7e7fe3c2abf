import CoreData
import SQLiteKit
import Testing

@Suite struct CompareTests {
    private func copy(of gallery: Gallery) throws -> URL {
        let file = gallery.file("all.jsonl")
        let copy = gallery.file("Copy.sqlite")
        #expect(try gallery.run("export", gallery.store.path, "-o", file.path).code == 0)
        let outcome = try gallery.run("import", copy.path, file.path, "--create")
        #expect(outcome.code == 0, "\(outcome.errors)")
        return copy
    }

    @Test("a store and what was imported of its export are equal, though their keys are not (TOOL-16)")
    func importedStoreIsEqual() throws {
        let gallery = try Gallery()
        let copy = try copy(of: gallery)
        let outcome = try gallery.run("compare", gallery.store.path, copy.path)
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output == "10 equal, 0 changed, 0 only in A, 0 only in B\n")
        let itself = try gallery.run("compare", copy.path, copy.path, "--by", "id")
        #expect(itself.code == 0 && itself.output.hasPrefix("10 equal"))
        // By keys of the store the objects are others.
        let byKey = try gallery.run("compare", gallery.store.path, copy.path, "--by", "id")
        #expect(byKey.code == 1)
    }

    @Test(
        "a copy in XML or binary is compared with the model that its store keeps (TOOL-16)",
        arguments: ["xml", "binary"])
    func copyWithoutAModel(kind: String) throws {
        let gallery = try Gallery()
        let copy = gallery.file("Copy.\(kind)")
        #expect(try gallery.run("copy", gallery.store.path, copy.path).code == 0)
        for pair in [[gallery.store.path, copy.path], [copy.path, gallery.store.path]] {
            let outcome = try Tool.run(["compare"] + pair + ["--by", "id"])
            #expect(
                outcome.code == 0 && outcome.output.hasPrefix("10 equal, 0 changed"),
                "\(outcome.output)\(outcome.errors)")
        }
        let other = try Club()
        defer { other.remove() }
        let refused = try Tool.run("compare", other.store.path, copy.path)
        #expect(refused.code == 2 && refused.errors.contains("keeps no model"), "\(refused.errors)")
    }

    @Test("a copy of a changed copy is paired with either and with the store that both come from (TOOL-16)")
    func copyOfAChangedCopy() throws {
        let gallery = try Gallery()
        let (first, second) = (gallery.file("First.xml"), gallery.file("Second.sqlite"))
        let third = gallery.file("Third.binary")
        #expect(try gallery.run("copy", gallery.store.path, first.path).code == 0)
        let deleted = try gallery.run("delete", first.path, "Work", "--where", "code == 'W9'")
        #expect(deleted.code == 0, "\(deleted.errors)")
        #expect(try gallery.run("copy", first.path, second.path).code == 0)
        #expect(try gallery.run("copy", second.path, third.path).code == 0)
        let wanted = try summary(gallery, gallery.store, first)
        #expect(wanted.contains("1 only in A, 0 only in B"), "\(wanted)")
        for copy in [second, third] {
            let found = try summary(gallery, gallery.store, copy)
            let details = try gallery.run("compare", gallery.store.path, copy.path).output
            #expect(found == wanted, "\(details)")
            #expect(try summary(gallery, copy, first).contains(" 0 changed, 0 only in A, 0 only in B"))
        }
        #expect(try summary(gallery, second, third).contains(" 0 changed, 0 only in A, 0 only in B"))
    }

    /// The line of a comparison that counts.
    private func summary(_ gallery: Gallery, _ left: URL, _ right: URL) throws -> String {
        let outcome = try gallery.run("compare", left.path, right.path)
        let lines = outcome.output.split(separator: "\n")
        return String(try #require(lines.last { $0.contains(" only in B") }, "\(outcome.errors)"))
    }

    @Test("a store is made as another, by the rules of the model and all together (TOOL-17)")
    func storeIsMadeAsAnother() throws {
        let gallery = try Gallery()
        let copy = try copy(of: gallery)
        try change(copy)
        let before = try gallery.text(of: copy)
        let dry = try gallery.run("compare", gallery.store.path, copy.path, "--apply", "--dry-run")
        #expect(dry.code == 1 && dry.errors.contains("would be 1 inserted"), "\(dry.errors)")
        #expect(try gallery.text(of: copy) == before)
        let outcome = try gallery.run("compare", gallery.store.path, copy.path, "--apply")
        #expect(outcome.code == 1 && outcome.errors.contains("1 deleted in B"), "\(outcome.errors)")
        let after = try gallery.run("compare", gallery.store.path, copy.path)
        #expect(after.code == 0, "\(after.output)\(after.errors)")
        #expect(try gallery.links(gallery.store) == gallery.links(copy))
    }

    @Test("each difference is found and named: values to the bit, links, orders, objects of one store (TOOL-16)")
    func differencesAreNamed() throws {
        let gallery = try Gallery()
        let copy = try copy(of: gallery)
        try change(copy)
        try checkDifferences(gallery, copy)
    }

    /// Changes a value by one bit, links, an order; deletes an object and inserts one.
    private func change(_ copy: URL) throws {
        try Gallery.withContext(copy) { context in
            func work(_ code: String) throws -> NSManagedObject {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Work")
                request.predicate = NSPredicate(format: "code == %@", code)
                return try #require(try context.fetch(request).first)
            }
            try work("W0").setValue(0.1.nextUp, forKey: "real")
            let second = try work("W1")
            second.setValue(try work("W1"), forKey: "original")
            second.setValue(Data([9]), forKey: "image")
            try work("W3").setValue(NSSet(array: [try work("W4")]), forKey: "similar")
            let rooms = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Room"))
            let first = try #require(rooms.first { $0.value(forKey: "name") as? String == "Room 1" })
            let tour = try #require(first.value(forKey: "tour") as? NSOrderedSet)
            first.setValue(NSOrderedSet(array: tour.array.reversed()), forKey: "tour")
            context.delete(try work("W9"))
            let new = NSEntityDescription.insertNewObject(forEntityName: "Work", into: context)
            new.setValue("W10", forKey: "code")
            try context.save()
        }
    }

    private func checkDifferences(_ gallery: Gallery, _ copy: URL) throws {
        let outcome = try gallery.run("compare", gallery.store.path, copy.path, "--format", "json", "--values")
        #expect(outcome.code == 1, "\(outcome.errors)")
        let lines = try outcome.output.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        let summary = try #require(lines.last)
        #expect(
            summary["changed"] as? Int == 5 && summary["onlyInA"] as? Int == 1 && summary["onlyInB"] as? Int == 1,
            "\(outcome.output)")
        let names = lines.dropLast().flatMap { ($0["properties"] as? [String: Any])?.keys.sorted() ?? [] }
        #expect(Set(names) == ["real", "original", "image", "similar", "likened", "tour"], "\(names)")
        let table = try gallery.run("compare", gallery.store.path, copy.path, "--entity", "Room")
        #expect(table.code == 1 && table.output.contains("~ Room/p1: tour\n"), "\(table.output)")
        #expect(table.output.hasSuffix("2 equal, 1 changed, 0 only in A, 0 only in B\n"), "\(table.output)")
    }

    @Test("chosen differences are copied over, and all else stays as it is (BRW-50, BRW-51)")
    func chosenDifferencesAreCopied() throws {
        let gallery = try Gallery()
        let copy = try copy(of: gallery)
        try change(copy)
        let before = try gallery.text(of: copy)
        let dry = try gallery.run("compare", gallery.store.path, copy.path, "--copy", "Work/p1", "--dry-run")
        #expect(dry.code == 1 && dry.errors.contains("would be 0 inserted, 1 updated, 0 deleted"), "\(dry.errors)")
        let missing = try gallery.run("compare", gallery.store.path, copy.path, "--copy", "Work/p1,b:Work/p1")
        #expect(missing.code == 2 && missing.errors.contains("no difference of this object"), "\(missing.errors)")
        #expect(try gallery.text(of: copy) == before)
        let done = try gallery.run("compare", gallery.store.path, copy.path, "--copy", "Work/p1")
        #expect(done.errors.contains("0 inserted, 1 updated, 0 deleted"), "\(done.errors)")
        let after = try gallery.run("compare", gallery.store.path, copy.path)
        #expect(after.output.hasSuffix("4 changed, 1 only in A, 1 only in B\n"), "\(after.output)")
    }

    @Test("comparing changes nothing, and what cannot be compared ends with code 2 (TOOL-16)")
    func comparingChangesNothing() throws {
        let gallery = try Gallery()
        let copy = try copy(of: gallery)
        let state = try FolderState(around: gallery.store)
        _ = try gallery.run("compare", gallery.store.path, copy.path)
        #expect(try FolderState(around: gallery.store) == state)
        for words in [["--by", "nothing"], ["--entity", "Nothing"], ["--by", "constraint"]] {
            let outcome = try Tool.run(
                ["compare", gallery.store.path, copy.path, "--model", gallery.model.path] + words)
            #expect(outcome.code == 2 && outcome.errorLines.count == 1, "\(outcome.errors)")
        }
    }

    @Test("a text that changes its composition alone is set, compared and found by its bytes (TOOL-06, TOOL-16)")
    func compositionsAreApart() throws {
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        let library = try Library()
        defer { library.remove() }
        let other = library.folder.appendingPathComponent("Other.sqlite")
        for title in [composed, decomposed] {
            #expect(try Tool.run(["insert", library.store.path, "Book", "title=\(title)"] + library.model).code == 0)
        }
        #expect(try Tool.run(["copy", library.store.path, other.path] + library.model).code == 0)
        let file = library.folder.appendingPathComponent("titles.jsonl")
        let lines = [(decomposed, 301), (composed, 233)].map { "{\"title\": \"\($0)\", \"pages\": \($1)}\n" }
        try Data(lines.joined().utf8).write(to: file)
        let imported = try Tool.run(
            ["import", library.store.path, file.path, "--entity", "Book", "--match", "title"] + library.model)
        #expect(imported.code == 0 && imported.output.contains("0 inserted, 2 updated"), "\(imported.output)")
        let pages =
            "SELECT group_concat(hex(ZTITLE) || ' ' || ZPAGES) FROM ZBOOK WHERE ZPAGES IN (301, 233) ORDER BY ZPAGES"
        #expect(try Database.text(library.store, pages) == "C3A9 233,65CC81 301")
        let set = try Tool.run(
            ["set", other.path, "Book", "--where", "title == '\(composed)'", "title=\(decomposed)"] + library.model)
        #expect(set.code == 0 && !set.output.contains("nothing to change"), "\(set.output)\(set.errors)")
        #expect(try Database.text(other, "SELECT count(*) FROM ZBOOK WHERE hex(ZTITLE) = '65CC81'") == "2")
        #expect(try Tool.run(["compare", library.store.path, other.path, "--by", "id"] + library.model).code == 1)
    }
}
