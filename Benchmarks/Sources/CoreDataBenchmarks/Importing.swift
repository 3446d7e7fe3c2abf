import CRawBaseline
import CoreData

/// `coredata import` in a process of its own, beside a batch insertion of the same rows by the library.
enum Importing {
    static let all = [
        Benchmark("IM", "coredata import # objects beside batch insertion", size: 200_000, bar: 3, runs: 3) {
            count, bench in
            let files = try bench.once("import \(count)") { try Files(count, in: bench) }
            return Sides(ours: { try files.importObjects(bench) }, raw: { try files.insertRows(bench) })
        }
    ]

    /// Books and their authors as an export has them, and their model.
    private struct Files {
        private let count: Int
        private let objects: URL
        private let model: URL

        private var authors: Int { max(1, count / 10) }

        init(_ count: Int, in bench: Workbench) throws {
            self.count = count
            objects = bench.folder.appendingPathComponent("objects-\(count).jsonl")
            model = bench.folder.appendingPathComponent("Shelf.xcdatamodel")
            try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
            try Data(Importing.model.utf8).write(to: model.appendingPathComponent("contents"))
            try Data().write(to: objects)
            let file = try FileHandle(forWritingTo: objects)
            defer { try? file.close() }
            var text = ""
            for number in 0..<count {
                text += line(number)
                guard text.utf8.count > 1 << 20 else { continue }
                try file.write(contentsOf: Data(text.utf8))
                text = ""
            }
            try file.write(contentsOf: Data(text.utf8))
        }

        private func line(_ number: Int) -> String {
            let store = "x-coredata://11111111-2222-3333-4444-555555555555"
            guard number >= authors else {
                return
                    #"{"objectID":"\#(store)/Author/p\#(number + 1)","entity":"Author","#
                    + #""attributes":{"born":"1950-03-01T12:00:00.250Z","name":"Author number \#(number)"},"#
                    + #""relationships":{}}"# + "\n"
            }
            let flag = number % 2 == 0 ? "true" : "false"
            return
                #"{"objectID":"\#(store)/Book/p\#(number - authors + 1)","entity":"Book","attributes":{"#
                + #""added":"2024-02-29T12:00:00.000Z","isRead":\#(flag),"number":\#(number * 7919),"#
                + #""pages":\#(number % 900),"rating":\#(Double(number % 50) / 10),"#
                + #""title":"The long title of book \#(number)"},"#
                + #""relationships":{"author":"\#(store)/Author/p\#(author(of: number))"}}"# + "\n"
        }

        /// The key of a book's author.
        private func author(of number: Int) -> Int { number &* 2_654_435_761 % authors + 1 }

        func importObjects(_ bench: Workbench) throws -> Sample {
            let url = bench.place("Imported")
            defer { Workbench.removeStore(at: url) }
            let run = try TimedProcess.tool([
                "import", url.path, objects.path, "--create", "--model", model.path, "--format", "json",
            ])
            guard run.output.contains("\"inserted\":\(count),") else {
                throw Failure("the objects were not imported: \(run.output)")
            }
            return Sample(seconds: run.seconds)
        }

        func insertRows(_ bench: Workbench) throws -> Sample {
            let url = bench.place("Inserted")
            let model = try NSManagedObjectModel(source: Data(Importing.model.utf8))
            let start = raw_now()
            let container = try Workbench.open(url, model)
            defer {
                try? Workbench.close(container)
                Workbench.removeStore(at: url)
            }
            let context = container.newBackgroundContext()
            let inserted = try context.performAndWait {
                try insert(context, "Author", 0..<authors) { number, author in
                    author.setValue(Date(timeIntervalSinceReferenceDate: Double(number)), forKey: "born")
                    author.setValue("Author number \(number)", forKey: "name")
                }
                    + insert(context, "Book", authors..<count) { number, book in
                        book.setValue(Date(timeIntervalSinceReferenceDate: Double(number)), forKey: "added")
                        book.setValue(number % 2 == 0, forKey: "isRead")
                        book.setValue(Int64(number * 7919), forKey: "number")
                        book.setValue(Int16(number % 900), forKey: "pages")
                        book.setValue(Double(number % 50) / 10, forKey: "rating")
                        book.setValue("The long title of book \(number)", forKey: "title")
                    }
            }
            guard inserted == count else { throw Failure("\(inserted) rows were inserted") }
            return Sample(seconds: raw_now() - start)
        }

        /// Inserts rows with objects that a handler fills, the fastest way there is; these have no relationships.
        private func insert(
            _ context: NSManagedObjectContext, _ entity: String, _ numbers: Range<Int>,
            _ fill: (Int, NSManagedObject) -> Void
        ) throws -> Int {
            try withoutActuallyEscaping(fill) { fill in
                var rest = numbers[...]
                let request = NSBatchInsertRequest(
                    entityName: entity,
                    managedObjectHandler: { object in
                        guard let number = rest.popFirst() else { return true }
                        fill(number, object)
                        return false
                    })
                request.resultType = .count
                return (try context.execute(request) as? NSBatchInsertResult)?.result as? Int ?? 0
            }
        }
    }

    private static let model = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22222" \
        systemVersion="22A0" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
        <entity name="Author" representedClassName="NSManagedObject" syncable="YES">
        <attribute name="born" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
        <attribute name="name" attributeType="String" maxValueString="60"/>
        <relationship name="books" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Book" inverseName="author" inverseEntity="Book"/>
        </entity>
        <entity name="Book" representedClassName="NSManagedObject" syncable="YES">
        <attribute name="added" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
        <attribute name="isRead" optional="YES" attributeType="Boolean" usesScalarValueType="YES"/>
        <attribute name="number" optional="YES" attributeType="Integer 64" usesScalarValueType="YES"/>
        <attribute name="pages" optional="YES" attributeType="Integer 16" minValueString="0" usesScalarValueType="YES"/>
        <attribute name="rating" optional="YES" attributeType="Double" usesScalarValueType="YES"/>
        <attribute name="title" attributeType="String"/>
        <relationship name="author" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
        </entity>
        </model>
        """
}
