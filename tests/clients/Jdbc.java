import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.io.PrintStream;
import java.sql.*;

/**
 * A plain JDBC client: runs the SQL of standard input, one statement a line,
 * on the file named first, each in a transaction of its own.
 * Prints rows with tabs, "ok" for an edit, or "refused: " and the message.
 */
public class Jdbc {
    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        BufferedReader in = new BufferedReader(
            new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + args[0]);
             Statement statement = connection.createStatement()) {
            for (String sql; (sql = in.readLine()) != null; ) {
                try {
                    if (statement.execute(sql)) {
                        print(out, statement.getResultSet());
                    } else {
                        out.println("ok");
                    }
                } catch (SQLException refused) {
                    out.println("refused: " + refused.getMessage());
                }
            }
        }
    }

    private static void print(PrintStream out, ResultSet rows) throws SQLException {
        int columns = rows.getMetaData().getColumnCount();
        while (rows.next()) {
            StringBuilder line = new StringBuilder();
            for (int column = 1; column <= columns; column++) {
                line.append(column > 1 ? "\t" : "").append(rows.getString(column));
            }
            out.println(line);
        }
    }
}
