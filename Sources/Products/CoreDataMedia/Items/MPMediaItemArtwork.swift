import CoreData
import CoreDataPictures
import Foundation

/// The picture of an item.
public final class MPMediaItemArtwork: Sendable {
    private static let thumbnails = ThumbnailMaker()
    private let library: MPMediaLibrary
    private let id: NSManagedObjectID

    init(_ library: MPMediaLibrary, _ id: NSManagedObjectID) { (self.library, self.id) = (library, id) }

    /// The picture as it is in the file; nil if its row is not there any more.
    public var imageData: Data? {
        try? library.perform { try $0.existingObject(with: id).value(forKey: "image") as? Data }
    }

    /// The media type of ``imageData``, such as `image/jpeg`.
    public var mimeType: String? {
        try? library.perform { try $0.existingObject(with: id).value(forKey: "mimeType") as? String }
    }

    /// The picture as a JPEG that fits into a size, undistorted and never larger than it is.
    ///
    /// - Parameters:
    ///   - width: In pixels, from 1 to 4096.
    ///   - height: In pixels, from 1 to 4096.
    /// - Throws: ``MediaLibraryError`` if the picture is gone; `PictureFileError` if it is damaged, or `vips` is not installed.
    public func image(width: Int, height: Int) async throws -> Data {
        guard let data = imageData else {
            throw MediaLibraryError(
                .itemUnavailable, "The picture is not in the library any more", hint: "fetch the item again")
        }
        return try await Self.thumbnails.thumbnail(
            of: .data(data), ThumbnailOptions(size: PixelSize(width: width, height: height)))
    }
}
