import Foundation
import SwiftData

/// A class with constants, which its initializer sets.
@Model
final class Invoice {
    @Attribute(.unique) let number: Int
    let issued: Date
    let currency: Currency
    let lines: [Line]
    let reference: String?
    let format = "A4"
    private(set) var isPaid = false
    public internal(set) var note: String?
    var buyer: Buyer?

    enum Currency: String, Codable { case franc, euro }
    struct Line: Codable, Equatable {
        var text: String
        var amount: Decimal
    }

    init(number: Int, currency: Currency, lines: [Line] = [], reference: String? = nil) {
        self.number = number
        self.issued = Date(timeIntervalSinceReferenceDate: Double(number))
        self.currency = currency
        self.lines = lines
        self.reference = reference
    }

    func pay() { isPaid = true }
}

@Model
final class Buyer {
    let name: String
    var invoices: [Invoice] = []
    init(name: String) { self.name = name }
}

/// A class whose relationship is a constant.
@Model
final class Receipt {
    let buyer: Buyer
    init(buyer: Buyer) { self.buyer = buyer }
}
