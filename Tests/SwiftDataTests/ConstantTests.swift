import Foundation
import SwiftData
import TestBasics
import Testing

/// Properties that are `let` or have a setter of narrower access.
@Suite struct ConstantTests {
    private let folder: TemporaryFolder
    private let configuration: ModelConfiguration

    init() throws {
        folder = try TemporaryFolder()
        configuration = ModelConfiguration(url: folder.url.appending(path: "invoices.store"))
    }

    private func open() throws -> ModelContext {
        ModelContext(try ModelContainer(for: Invoice.self, configurations: configuration))
    }

    @Test func storeKeepsConstants() throws {
        let lines = [Invoice.Line(text: "paper", amount: 2.5)]
        do {
            let context = try open()
            let invoice = Invoice(number: 7, currency: .euro, lines: lines, reference: "R-7")
            invoice.buyer = Buyer(name: "Ada")
            context.insert(invoice)
            context.insert(Invoice(number: 8, currency: .franc))
            #expect(invoice.number == 7 && invoice.lines == lines)
            invoice.pay()
            try context.save()
        }
        let context = try open()
        let invoices = try context.fetch(FetchDescriptor<Invoice>(sortBy: [SortDescriptor(\.number)]))
        #expect(invoices.map(\.number) == [7, 8] && invoices.map(\.currency) == [.euro, .franc])
        #expect(invoices[0].issued.timeIntervalSinceReferenceDate == 7 && invoices[0].lines == lines)
        #expect(invoices.map(\.reference) == ["R-7", nil] && invoices.map(\.isPaid) == [true, false])
        #expect(invoices[0].buyer?.name == "Ada" && invoices.allSatisfy { $0.format == "A4" })
    }

    @Test func predicatesAndIndexesSeeConstants() throws {
        let context = try open()
        for number in 1...9 { context.insert(Invoice(number: number, currency: number % 2 == 0 ? .euro : .franc)) }
        try context.save()
        let euro = Invoice.Currency.euro
        let even = FetchDescriptor<Invoice>(
            predicate: #Predicate { $0.currency == euro && $0.number > 4 && $0.reference == nil },
            sortBy: [SortDescriptor(\.issued)])
        #expect(try context.fetch(even).map(\.number) == [6, 8])
        context.insert(Invoice(number: 9, currency: .franc))
        #expect(throws: (any Error).self) { try context.save() }
    }

    @Test func constantOutlivesRollbackAndDeletion() throws {
        let context = try open()
        let invoice = Invoice(number: 1, currency: .franc, reference: "r")
        context.insert(invoice)
        context.rollback()
        #expect(invoice.number == 1 && invoice.modelContext == nil)
        context.insert(invoice)
        try context.save()
        #expect(try open().fetchCount(FetchDescriptor<Invoice>(predicate: #Predicate { $0.reference == "r" })) == 1)
        context.delete(invoice)
        try context.save()
        #expect(invoice.isDeleted && invoice.number == 1 && invoice.reference == "r")
    }

    @Test func schemaHasConstantsAndNotThoseWithAValue() throws {
        let names = try #require(Schema(Invoice.self).entity(for: Invoice.self)).storedPropertiesByName.keys
        #expect(Set(names).isSuperset(of: ["number", "issued", "currency", "lines", "reference", "isPaid", "note"]))
        #expect(!names.contains("format"))
    }

    @Test func constantRelationshipIsAnError() throws {
        #expect {
            try ModelContainer(for: Receipt.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        } throws: {
            SwiftDataError.loadIssueModelContainer ~= $0 && "\($0)".contains("'Receipt.buyer' is a `let`")
        }
    }
}
