import Foundation
import SwiftData

@Model
final class CartModel {
    @Attribute(.unique) var id: String
    var storeId: String
    var profileId: String?
    var status: String
    var createdAt: Date
    var updatedAt: Date
    var metadataJSON: Data?
    var displayName: String?
    var context: String?
    var storeImageURLString: String?
    var minSubtotalAmount: Decimal?
    var minSubtotalCurrencyCode: String?
    var maxItemCount: Int?
    @Relationship(deleteRule: .cascade) var items: [CartItemModel] = []

    init(id: String, storeId: String, status: String, createdAt: Date, updatedAt: Date) {
        self.id = id
        self.storeId = storeId
        self.status = status
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

@Model
final class CartItemModel {
    @Attribute(.unique) var id: String
    var productId: String
    var quantity: Int
    var availableStock: Int?
    var unitPriceAmount: Decimal
    var unitPriceCurrencyCode: String
    var totalPriceAmount: Decimal
    var totalPriceCurrencyCode: String
    var imageURLString: String?
    @Relationship(deleteRule: .cascade) var modifiers: [CartItemModifierModel] = []

    init(id: String, productId: String, quantity: Int, price: Decimal, currency: String) {
        self.id = id
        self.productId = productId
        self.quantity = quantity
        self.unitPriceAmount = price
        self.unitPriceCurrencyCode = currency
        self.totalPriceAmount = price * Decimal(quantity)
        self.totalPriceCurrencyCode = currency
    }
}

@Model
final class CartItemModifierModel {
    @Attribute(.unique) var id: String
    var name: String
    var priceDeltaAmount: Decimal
    var priceDeltaCurrencyCode: String

    init(id: String, name: String, priceDeltaAmount: Decimal, priceDeltaCurrencyCode: String) {
        self.id = id
        self.name = name
        self.priceDeltaAmount = priceDeltaAmount
        self.priceDeltaCurrencyCode = priceDeltaCurrencyCode
    }
}
