import CoreDataFoundation
import Dispatch
import TestBasics
import Testing

@testable import CoreDataGraph

/// Dictionaries made of tables, by the caller and by another thread.
@Suite struct DictionaryLineTests {
    private static func table(_ rows: Range<Int>) -> ValueTable {
        let table = ValueTable(width: 2, capacity: rows.count)
        for row in rows {
            table.append(NSNumber.holding(Int64(row)))
            table.append(row % 3 == 0 ? nil : NSNumber.holding(-Int64(row)))
        }
        return table
    }

    private static func expectRows(_ dictionaries: [NSDictionary], _ count: Int) {
        #expect(dictionaries.count == count)
        let wrong = dictionaries.enumerated().first { row, dictionary in
            dictionary["a"] as? Int != row || dictionary["b"] as? Int != (row % 3 == 0 ? nil : -row)
                || dictionary.count != (row % 3 == 0 ? 1 : 2)
        }
        #expect(wrong == nil)
    }

    @Test(
        "dictionaries come in the order of their rows, however many tables there are (FET-15)",
        arguments: [0, 1, 2, 3, 64])
    func dictionariesComeInOrderOfTheirRows(tables: Int) {
        for _ in 0..<20 {
            let line = DictionaryLine(["a", "b"])
            for number in 0..<tables { line.append(Self.table(number * 100..<(number + 1) * 100)) }
            Self.expectRows(line.finish(), tables * 100)
        }
    }

    @Test("a slow reader and a slow end: tables of all sizes, with pauses between them (FET-15)")
    func slowReaderAndSlowEnd() {
        let line = DictionaryLine(["a", "b"])
        var count = 0
        for number in 0..<40 {
            let size = number % 7 == 0 ? 5_000 : number
            line.append(Self.table(count..<count + size))
            count += size
            if number % 5 == 0 { usleep(2_000) }
        }
        Self.expectRows(line.finish(), count)
    }

    @Test("rows are delivered without waiting for a thread while all threads of the machine are busy (FET-15)")
    func busyThreads() {
        let isOver = DispatchSemaphore(value: 0)
        let blocked = 200
        for _ in 0..<blocked { DispatchQueue.global().async { isOver.wait(for: "the rows of the line") } }
        let line = DictionaryLine(["a", "b"])
        for number in 0..<10 { line.append(Self.table(number * 100..<(number + 1) * 100)) }
        Self.expectRows(line.finish(), 1_000)
        for _ in 0..<blocked { isOver.signal() }
    }

    @Test("Values that were not taken, and dictionaries that were not asked for, are released")
    func lettingGo() {
        weak var untaken: NSObject?
        weak var unasked: NSObject?
        do {
            let objects = (NSObject(), NSObject())
            (untaken, unasked) = objects
            let table = ValueTable(width: 2)
            for _ in 0..<10 { table.append(objects.0) }
            #expect(table.count == 5 && table.value(4, 1) === objects.0 && table.row(0).count == 2)
            let line = DictionaryLine(["a"])
            let single = ValueTable(width: 1)
            single.append(objects.1)
            line.append(single)
            withExtendedLifetime((objects, table, line)) { #expect(untaken != nil && unasked != nil) }
        }
        #expect(untaken == nil && unasked == nil)
    }

    @Test("Two keys alike have the later value; the values of both are let go of")
    func keysAlike() {
        weak var gone: NSObject?
        do {
            let object = NSObject()
            gone = object
            let table = ValueTable(width: 2)
            table.append(object)
            table.append(NSNumber(value: 2))
            let line = DictionaryLine(["a", "a"])
            line.append(table)
            let found = line.finish()
            withExtendedLifetime((object, table)) { #expect(found == [["a": 2]]) }
        }
        #expect(gone == nil)
    }

    @Test("A table of another width than there are names gives no dictionaries")
    func otherWidth() {
        let line = DictionaryLine(["a", "b", "c"])
        line.append(Self.table(0..<5))
        #expect(line.finish().isEmpty)
    }
}
