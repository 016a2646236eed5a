// A form in which a report is shown. A form is a projection: it decides nothing and changes nothing.

import MirrorCore

/// Turns a report into bytes, front to back.
public protocol ReportForm: Sendable {
    /// - Parameter sink: takes the bytes in order.
    /// - Throws: whatever the sink throws.
    func write(_ report: Report, to sink: (_ bytes: [UInt8]) throws(Failure) -> Void) throws(Failure)
}

/// The forms by the endings of report files.
package enum ReportForms {
    /// nil for an ending that this version does not write.
    package static func form(forFile name: String) -> (any ReportForm)? {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        return switch String(name[name.utf8.index(after: dot)...]).asciiLowercased {
        case "json": JSONReport()
        case "txt": TextReport()
        default: nil
        }
    }
}
